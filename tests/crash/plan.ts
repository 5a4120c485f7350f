import type { Random } from './random.ts'

/**
 * The ways to kill the running system. All but the last two are `kill -9`: of the application (its database keeps running),
 * of the postmaster, of one database process, of the postmaster and a moment later the application, of everything at once,
 * and of processes that were frozen for a while before. `every connection` terminates all database connections several
 * times while the database keeps running. `SIGTERM` asks the application to stop while it works. An event store that is elsewhere
 * is killed alone, and a moment before the application.
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
  | 'SIGTERM'
  | EventStoreKillMode

type EventStoreKillMode = 'event store' | 'event store, then application'

/** The activity during which a kill happens. */
export type Situation = 'at work' | 'importing' | 'undoing an import' | 'rebuilding' | 'starting'

/** A kill. `fraction` is its moment within the situation: from 0, the beginning, to 1. */
export type Kill = { mode: KillMode; situation: Situation; fraction: number }

/** Kills without a recovery between them: the first while users work, the others while the application starts again. */
export type Round = readonly [Kill, ...Kill[]]

type Card = readonly [KillMode, Situation]

const repeatCard = (count: number, mode: KillMode, situation: Situation): Card[] =>
  Array.from({ length: count }, () => [mode, situation] as const)

/** Thirty kills that cover every mode and situation. */
const deck: readonly Card[] = [
  ...repeatCard(2, 'application', 'at work'),
  ...repeatCard(2, 'everything', 'at work'),
  ...repeatCard(1, 'postmaster, then application', 'at work'),
  ...repeatCard(2, 'postmaster', 'at work'),
  ...repeatCard(2, 'one database process', 'at work'),
  ...repeatCard(2, 'every connection', 'at work'),
  ...repeatCard(2, 'SIGTERM', 'at work'),
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
  ...repeatCard(1, 'SIGTERM', 'starting'),
  ...repeatCard(1, 'postmaster', 'starting'),
]

/** Ten more for an event store that is elsewhere. */
const eventStoreDeck: readonly Card[] = [
  ...repeatCard(4, 'event store', 'at work'),
  ...repeatCard(1, 'event store', 'importing'),
  ...repeatCard(1, 'event store', 'undoing an import'),
  ...repeatCard(1, 'event store', 'rebuilding'),
  ...repeatCard(1, 'event store', 'starting'),
  ...repeatCard(2, 'event store, then application', 'at work'),
]

const survivedModes: readonly KillMode[] = ['postmaster', 'one database process', 'every connection', 'event store']

/** Returns whether the application survives, because only its database or event store was killed. */
export const doesAppSurvive = (mode: KillMode): boolean => survivedModes.includes(mode)

/** Returns whether the event store is killed, which recovers by itself. */
export const killsEventStore = (mode: KillMode): boolean =>
  mode === 'event store' || mode === 'event store, then application'

/** Plans a number of kills in rounds. The same random generator state gives the same plan. */
export function createPlan(random: Random, kills: number, hasEventStore = false): Round[] {
  const rounds: Round[] = []
  const cards = hasEventStore ? [...deck, ...eventStoreDeck] : deck
  for (let left = kills; left > 0; left -= cards.length) {
    const dealt = random.shuffle(cards).slice(0, left)
    rounds.push(...groupIntoRounds(random, dealt))
  }
  return rounds
}

function groupIntoRounds(random: Random, cards: readonly Card[]): Round[] {
  const kills = cards.map(([mode, situation]): Kill => ({ mode, situation, fraction: random.next() }))
  const starting = kills.filter(({ situation }) => situation === 'starting')
  const rounds = kills.filter(({ situation }) => situation !== 'starting').map((kill): [Kill, ...Kill[]] => [kill])
  // A small plan may contain no kill that causes a restart.
  const restarting = rounds.filter(([{ mode }]) => !doesAppSurvive(mode))
  if (restarting.length === 0 && starting.length > 0) {
    const first: [Kill, ...Kill[]] = [{ mode: 'everything', situation: 'at work', fraction: random.next() }]
    starting.pop()
    rounds.push(first)
    restarting.push(first)
  }
  for (const kill of starting) random.pick(restarting).push(kill)
  return rounds
}
