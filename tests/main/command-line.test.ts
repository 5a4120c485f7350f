import { expect, test } from 'vitest'
import { parseStartArguments } from '#main/command-line.ts'

test.each([
  [[], { showsHelp: false, isDemo: false }],
  [['--demo'], { showsHelp: false, isDemo: true }],
  [['-h'], { showsHelp: true, isDemo: false }],
  [['--help', '--demo'], { showsHelp: true, isDemo: true }],
])('parses %j', (words, expected) => {
  expect(parseStartArguments(words)).toEqual(expected)
})

test.each(['--dmeo', 'demo', '--demo=1', '-d', '--', '--no-demo'])('refuses %s and says where the list is', (word) => {
  expect(() => parseStartArguments([word])).toThrow(`Unknown argument "${word}": see npm start -- --help.`)
})
