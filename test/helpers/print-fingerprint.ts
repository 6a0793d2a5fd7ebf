import { fingerprint } from './fingerprint.ts'

process.stdout.write(await fingerprint())
