import type { Random } from './random.ts'

/**
 * What is done to the running system. All but the last two are `kill -9`: of the application alone (its database goes on
 * without it), of the postmaster alone, of one process of the database, of the postmaster and a moment later the
 * application, of everything at once, of what was frozen for a while before. `every connection` is an administrator who ends
 * them all, a few times over, while the database goes on. `told to stop` is SIGTERM in the middle of the work.
 */
export type How =
  | 'application'
  | 'postmaster'
  | 'one database process'
  | 'postmaster, then application'
  | 'everything'
  | 'frozen application'
  | 'frozen everything'
  | 'every connection'
  | 'told to stop'

/** What is going on at that moment. */
export type When = 'at work' | 'importing' | 'undoing an import' | 'rebuilding' | 'starting'

/** One kill. `moment` says when in that situation: from 0, its beginning, to 1. */
export type Kill = { how: How; when: When; moment: number }

/** Kills without the time to come back between them: the first while people work, the others while it starts again. */
export type Round = readonly [Kill, ...Kill[]]

type Card = readonly [How, When]

const times = (count: number, how: How, when: When): Card[] => Array.from({ length: count }, () => [how, when] as const)

/** So that thirty kills have seen everything. */
const deck: readonly Card[] = [
  ...times(2, 'application', 'at work'),
  ...times(2, 'everything', 'at work'),
  ...times(1, 'postmaster, then application', 'at work'),
  ...times(2, 'postmaster', 'at work'),
  ...times(2, 'one database process', 'at work'),
  ...times(2, 'every connection', 'at work'),
  ...times(2, 'told to stop', 'at work'),
  ...times(1, 'frozen application', 'at work'),
  ...times(1, 'frozen everything', 'at work'),
  ...times(1, 'application', 'importing'),
  ...times(1, 'everything', 'importing'),
  ...times(1, 'postmaster', 'importing'),
  ...times(1, 'everything', 'undoing an import'),
  ...times(1, 'everything', 'rebuilding'),
  ...times(1, 'postmaster', 'rebuilding'),
  ...times(1, 'one database process', 'rebuilding'),
  ...times(1, 'every connection', 'rebuilding'),
  ...times(2, 'application', 'starting'),
  ...times(3, 'everything', 'starting'),
  ...times(1, 'told to stop', 'starting'),
  ...times(1, 'postmaster', 'starting'),
]

const ofTheDatabase: readonly How[] = ['postmaster', 'one database process', 'every connection']

/** Whether the application comes back by itself, because only its database was killed. */
export const survives = (how: How): boolean => ofTheDatabase.includes(how)

/** So many kills, in rounds. The same chance gives the same plan. */
export function planOf(random: Random, kills: number): Round[] {
  const rounds: Round[] = []
  for (let left = kills; left > 0; left -= deck.length) {
    const dealt = random.shuffled(deck).slice(0, left)
    rounds.push(...roundsOf(random, dealt))
  }
  return rounds
}

function roundsOf(random: Random, cards: readonly Card[]): Round[] {
  const kills = cards.map(([how, when]): Kill => ({ how, when, moment: random.next() }))
  const starting = kills.filter(({ when }) => when === 'starting')
  const rounds = kills.filter(({ when }) => when !== 'starting').map((kill): [Kill, ...Kill[]] => [kill])
  // A few cards may hold nothing after which it has to be started.
  const ending = rounds.filter(([{ how }]) => !survives(how))
  if (ending.length === 0 && starting.length > 0) {
    const first: [Kill, ...Kill[]] = [{ how: 'everything', when: 'at work', moment: random.next() }]
    starting.pop()
    rounds.push(first)
    ending.push(first)
  }
  for (const kill of starting) random.pick(ending).push(kill)
  return rounds
}
