import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { 'direct-evidence': new URL('./src/index.ts', import.meta.url).pathname } },
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 },
})
