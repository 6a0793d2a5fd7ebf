import { expect, it } from 'vitest'
import { readProse } from '../../src/code/prose.ts'

it('begins no name in the middle of a word', () => {
  const names = readProse('A 4D input, [A-Za-z0-9_.], of Node2D.play and @export').map(({ path }) => path.join('.'))
  expect(names).toEqual(['A', 'input', 'A', 'Za', 'z0', 'of', 'Node2D.play', 'and', '@export'])
})
