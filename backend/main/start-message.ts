/** The facts in the message at the end of a start. */
export type StartedApp = {
  version: string
  /** The address that users open, without a trailing slash. */
  address: string
  /** False if no one can sign in yet. */
  hasAccounts: boolean
  /** True if visitors see the sample practice first (`npm start -- --demo`). */
  isDemo: boolean
  /** Absolute path of the data folder. */
  dataDir: string
  /** True if the database is not the embedded one in the data folder. */
  hasExternalDatabase: boolean
  /** True if events are stored in EventStoreDB or KurrentDB. */
  hasExternalEventStore: boolean
}

/** Returns the lines that `npm start` ends with: the address, the next step of a newcomer, where data is, how to stop. */
export function formatStartMessage(app: StartedApp): string[] {
  return [
    formatReadyLine(app),
    '',
    ...[...listFirstSteps(app), `Data: ${formatDataPlace(app)}`, 'Stop: press Ctrl-C'].map((line) => `  ${line}`),
  ]
}

/** Returns the first of these lines, which production logs alone: `Everchart 0.1.0 is ready: http://localhost:3000`. */
export const formatReadyLine = ({ version, address }: StartedApp): string => `Everchart ${version} is ready: ${address}`

function listFirstSteps({ address, hasAccounts, isDemo }: StartedApp): string[] {
  const demo = `${address}/demo`
  const account = hasAccounts
    ? `Sign in: ${address}/auth`
    : `There is no account yet. Create the first one: ${address}/auth?tab=register`
  return isDemo
    ? [`Visitors see the sample practice: ${demo}`, account]
    : [account, `Try it without an account: ${demo}`]
}

function formatDataPlace({ dataDir, hasExternalDatabase, hasExternalEventStore }: StartedApp): string {
  if (!hasExternalDatabase && !hasExternalEventStore) return dataDir
  const places = [
    hasExternalDatabase ? 'the database of DATABASE_URL' : undefined,
    hasExternalEventStore ? 'the event store of EVENTSTORE_URL' : undefined,
  ].filter((place) => place !== undefined)
  return `${places.join(' and ')}; ${hasExternalDatabase ? 'secrets and outbox' : 'everything else'} in ${dataDir}`
}
