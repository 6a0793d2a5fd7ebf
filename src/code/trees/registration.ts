import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DirectEvidenceError, messageOf } from '../../errors.ts'
import type { Native, Registration } from './native.ts'

/** Long enough for a slow disk; a probe takes a tenth of a second. */
const probeTimeoutMs = 20_000

/** Run in a process of its own: a parser that does not load ends it, and no error could be caught. */
const probe = `
const [path, languages] = process.argv.slice(1)
const native = require(path)
native.registerDynamicLanguage(JSON.parse(languages))
for (const name of Object.keys(JSON.parse(languages))) native.parse(name, 'a').root().kind()
`

/** One at a time: the native package takes languages once in a process. */
let queue: Promise<unknown> = Promise.resolve()
/** What this copy of the library registered. */
let registered: readonly string[] | undefined

/**
 * Makes languages known to the native package of this process.
 *
 * It takes them in one call only and passes over every later one in silence, and it ends the process when a parser does
 * not load. Therefore everything that is at hand is registered at the first call, after a trial in a process of its own,
 * and later calls only look whether what they need is there.
 *
 * @param needed What the caller asked for; each must load.
 * @param spare What else is installed; what does not load of it is left out.
 * @throws `GRAMMAR_UNUSABLE`.
 */
export function register(
  native: Native,
  modulePath: string,
  needed: ReadonlyMap<string, Registration>,
  spare: ReadonlyMap<string, Registration>,
): Promise<void> {
  const turn = queue.then(() => registerOnce(native, modulePath, needed, spare))
  queue = turn.catch(() => {})
  return turn
}

async function registerOnce(
  native: Native,
  modulePath: string,
  needed: ReadonlyMap<string, Registration>,
  spare: ReadonlyMap<string, Registration>,
): Promise<void> {
  const unknown = [...needed.keys()].filter((name) => !isKnown(native, name))
  if (unknown.length === 0) return
  if (registered === undefined) {
    const languages = await loadable(modulePath, needed, spare)
    native.registerDynamicLanguage(languages)
    registered = Object.keys(languages)
  }
  const missing = unknown.find((name) => !isKnown(native, name))
  if (missing === undefined) return
  const fixed = registered.length === 0 ? 'by other code' : `as ${registered.join(', ')}`
  throw new DirectEvidenceError(
    'GRAMMAR_UNUSABLE',
    `The languages of this process were fixed before "${missing}" was asked for (${fixed}). @ast-grep/napi takes them once; name all dynamic ones in the first call of loadGrammars().`,
    { option: missing },
  )
}

function isKnown(native: Native, name: string): boolean {
  try {
    native.parse(name, '')
    return true
  } catch {
    return false
  }
}

/** All languages if they load together, as they nearly always do; else each is tried for itself. */
async function loadable(
  modulePath: string,
  needed: ReadonlyMap<string, Registration>,
  spare: ReadonlyMap<string, Registration>,
): Promise<Record<string, Registration>> {
  const all = { ...Object.fromEntries(spare), ...Object.fromEntries(needed) }
  if ((await faultOf(modulePath, all)) === undefined) return all
  const good: Record<string, Registration> = {}
  for (const [name, registration] of Object.entries(all)) {
    const fault = await faultOf(modulePath, { [name]: registration })
    if (fault === undefined) good[name] = registration
    else if (needed.has(name)) {
      throw new DirectEvidenceError(
        'GRAMMAR_UNUSABLE',
        `The parser of "${name}" does not load here (${registration.libraryPath}): ${fault}`,
        { option: name },
      )
    }
  }
  return good
}

async function faultOf(
  modulePath: string,
  languages: Readonly<Record<string, Registration>>,
): Promise<string | undefined> {
  try {
    await promisify(execFile)(process.execPath, ['-e', probe, modulePath, JSON.stringify(languages)], {
      timeout: probeTimeoutMs,
      // An Electron program is Node only when it is told so.
      env: { ...process.env, NODE_OPTIONS: '', ELECTRON_RUN_AS_NODE: '1' },
    })
    return undefined
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string }
    return stderr.split('\n').find((line) => /error|cannot|OpenLib|symbol/i.test(line)) ?? messageOf(error)
  }
}
