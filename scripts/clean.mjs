import { rmSync } from 'node:fs'

// What an earlier build left must not go into the package.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
