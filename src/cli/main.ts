#!/usr/bin/env node
import { main } from './command-line.ts'

const interruption = new AbortController()
// Only once: a second Ctrl-C ends the process at once, should the first one not get through.
process.once('SIGINT', () => interruption.abort())

process.exitCode = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened when it is read: an open stdin could keep the process alive.
  get stdin() {
    return process.stdin
  },
  env: process.env,
  signal: interruption.signal,
})
