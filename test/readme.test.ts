import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

it('the example of the README runs as it stands and finds the sections it promises', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1]
  expect(example).toBeDefined()
  // Inside the project, so that the package's own name leads to its sources.
  const folder = await mkdtemp(join(root, 'test', '.readme-'))
  try {
    const file = join(folder, 'example.mts')
    await writeFile(file, example ?? '')
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], { cwd: root })
    expect(stdout).toContain('player_2d/clamp')
    expect(stdout).toContain('class/animatedsprite2d/play')
    expect(stdout).not.toContain('=>')
  } finally {
    await rm(folder, { recursive: true })
  }
})
