import type { Random } from './random.ts'

/**
 * What is done to the running system. All but the last two are `kill -9`: of the application alone (its database goes on
 * without it), of the postmaster alone, of one process of the database, of the postmaster and a moment later the
 * application, of everything at once, of what was frozen for a while before. `every connection` is an administrator who ends
 * them all, a few times over, while the database goes on. `told to stop` is SIGTERM in the middle of the work.
 */
export type KillMode =
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
export type Situation = 'at work' | 'importing' | 'undoing an import' | 'rebuilding' | 'starting'

/** One kill. `moment` says when in that situation: from 0, its beginning, to 1. */
export type Kill = { mode: KillMode; situation: Situation; fraction: number }

/** Kills without the time to come back between them: the first while people work, the others while it starts again. */
export type Round = readonly [Kill, ...Kill[]]

type Card = readonly [KillMode, Situation]

const repeatCard = (count: number, how: KillMode, when: Situation): Card[] =>
  Array.from({ length: count }, () => [how, when] as const)

/** So that thirty kills have seen everything. */
const deck: readonly Card[] = [
  ...repeatCard(2, 'application', 'at work'),
  ...repeatCard(2, 'everything', 'at work'),
  ...repeatCard(1, 'postmaster, then application', 'at work'),
  ...repeatCard(2, 'postmaster', 'at work'),
  ...repeatCard(2, 'one database process', 'at work'),
  ...repeatCard(2, 'every connection', 'at work'),
  ...repeatCard(2, 'told to stop', 'at work'),
  ...repeatCard(1, 'frozen application', 'at work'),
  ...repeatCard(1, 'frozen everything', 'at work'),
  ...repeatCard(1, 'application', 'importing'),
  ...repeatCard(1, 'everything', 'importing'),
  ...repeatCard(1, 'postmaster', 'importing'),
  ...repeatCard(1, 'everything', 'undoing an import'),
  ...repeatCard(1, 'everything', 'rebuilding'),
  ...repeatCard(1, 'postmaster', 'rebuilding'),
  ...repeatCard(1, 'one database process', 'rebuilding'),
  ...repeatCard(1, 'every connection', 'rebuilding'),
  ...repeatCard(2, 'application', 'starting'),
  ...repeatCard(3, 'everything', 'starting'),
  ...repeatCard(1, 'told to stop', 'starting'),
  ...repeatCard(1, 'postmaster', 'starting'),
]

const databaseKillModes: readonly KillMode[] = ['postmaster', 'one database process', 'every connection']

/** Whether the application comes back by itself, because only its database was killed. */
export const doesAppSurvive = (how: KillMode): boolean => databaseKillModes.includes(how)

/** So many kills, in rounds. The same chance gives the same plan. */
export function createPlan(random: Random, kills: number): Round[] {
  const rounds: Round[] = []
  for (let left = kills; left > 0; left -= deck.length) {
    const dealt = random.shuffle(deck).slice(0, left)
    rounds.push(...groupIntoRounds(random, dealt))
  }
  return rounds
}

function groupIntoRounds(random: Random, cards: readonly Card[]): Round[] {
  const kills = cards.map(([how, when]): Kill => ({ mode: how, situation: when, fraction: random.next() }))
  const starting = kills.filter(({ situation: when }) => when === 'starting')
  const rounds = kills.filter(({ situation: when }) => when !== 'starting').map((kill): [Kill, ...Kill[]] => [kill])
  // A few cards may hold nothing after which it has to be started.
  const ending = rounds.filter(([{ mode: how }]) => !doesAppSurvive(how))
  if (ending.length === 0 && starting.length > 0) {
    const first: [Kill, ...Kill[]] = [{ mode: 'everything', situation: 'at work', fraction: random.next() }]
    starting.pop()
    rounds.push(first)
    ending.push(first)
  }
  for (const kill of starting) random.pick(ending).push(kill)
  return rounds
}
