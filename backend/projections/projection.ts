import { type DomainEvent, UnsupportedEventVersion, type Position, type Recorded } from '#eventstore/event.ts'
import type { EventStore, EventPage } from '#eventstore/event-store.ts'

/** The PostgreSQL types of columns. Values of `int8` and `jsonb` must survive JSON exactly. */
export type ColumnType = 'uuid' | 'text' | 'text[]' | 'int4' | 'int8' | 'bool' | 'date' | 'timestamptz' | 'jsonb'

/**
 * Sums over the rows of a read model. They are kept in the table `read.<name>_totals` by triggers, in the statement that changes the
 * rows, so that they are right at every moment, in a rebuild too. A row may add to several totals, and a total may be zero.
 */
export type Totals = {
  /** The columns that identify a total. */
  readonly key: Readonly<Record<string, ColumnType>>
  /** The summed columns. */
  readonly sums: readonly string[]
  /** Returns SQL for the key and the addends of each row of a relation. */
  readonly select: (rows: string) => string
}

type Fold<Event extends DomainEvent, Row> = (row: Row | null, event: Recorded<Event>, key: string) => Row | null

/**
 * The definition of a read model: a table, and for each event type a function that computes the next row. Pure, so that the same fold
 * serves live updates, rebuilds, verification and views as of an earlier time. In rows as in events, dates are
 * YYYY-MM-DD and instants are ISO texts with milliseconds and Z.
 */
export type Projection<Event extends DomainEvent = DomainEvent, Row extends object = object> = {
  /** The name, also that of its table in the schema `read`. */
  readonly name: string
  /** Incremented when a fold or a column changes: the engine then rebuilds it from the first event. */
  readonly version: number
  readonly columns: { readonly [Column in keyof Row]-?: ColumnType }
  /** The column that identifies a row: text or uuid. */
  readonly key: keyof Row & string
  /**
   * True when no fold uses an encrypted field: the projection is rebuilt and verified without data keys, twice as fast.
   * A fold that accesses an encrypted field throws.
   */
  readonly isMetadataOnly?: true
  /**
   * Columns that are stored encrypted with the data key of the subject whose id is in another column. They cannot be
   * searched, and a fold may keep or replace their values but not read those of the previous row.
   */
  readonly sealed?: { readonly subject: keyof Row & string; readonly columns: readonly (keyof Row & string)[] }
  /** True when the previous version stored in clear what is encrypted now: its table is not kept for swapping back. */
  readonly isPreviousInClear?: true
  /**
   * Index definitions as they follow `create index on read.<name>`: `using gin (words)`, `(practice_id, lower(email))`.
   */
  readonly indexes?: readonly string[]
  readonly totals?: Totals
  /** Returns the key of the row an event affects, or several, or null. */
  rowOf(event: Recorded<Event>): string | readonly string[] | null
  /** The folds by event type: the next row, or null to remove it. Events without a fold are not read. */
  readonly on: { readonly [Type in Event['type']]?: Fold<Extract<Event, { type: Type }>, Row> }
}

/**
 * A projection as a module declares it. `on` is total: it maps each event of the union to a fold or to `'ignore'`, so
 * that a new event does not compile until every projection of its union handles it.
 */
export type ProjectionDefinition<Event extends DomainEvent, Row extends object> = Omit<Projection<Event, Row>, 'on'> & {
  readonly on: { readonly [Type in Event['type']]: Fold<Extract<Event, { type: Type }>, Row> | 'ignore' }
}

/** A projection of any row and event type. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyProjection = Projection<any, any>

/** Defines a projection: drops the ignored events, so that the engine neither reads nor folds them. */
export function defineProjection<Event extends DomainEvent, Row extends object>(
  definition: ProjectionDefinition<Event, Row>,
): Projection<Event, Row> {
  const folds = Object.entries(definition.on).filter(([, fold]) => fold !== 'ignore')
  return { ...definition, on: Object.fromEntries(folds) as Projection<Event, Row>['on'] }
}

/** Maps each of these events to the same fold, or to `'ignore'`; to be spread into `on`. */
export const mapEvents = <Type extends string, const Handler>(
  types: readonly Type[],
  handler: Handler,
): Record<Type, Handler> => Object.fromEntries(types.map((type) => [type, handler])) as Record<Type, Handler>

export type Row = Record<string, unknown>
export type Rows = Map<string, Row | null>

/** Returns whether a projection has a fold for this event type. */
export const handlesEvent = ({ on }: Pick<AnyProjection, 'on'>, type: string): boolean => Object.hasOwn(on, type)

/** Returns the event types that a projection has a fold for: all that has to be read. */
export const getHandledTypes = ({ on }: Pick<AnyProjection, 'on'>): readonly string[] => Object.keys(on)

/** Returns the store that a projection reads from: the metadata-only one when it declares `isMetadataOnly`. */
export const selectStore = (
  { store, metadataOnlyStore = store }: { store: EventStore; metadataOnlyStore?: EventStore },
  { isMetadataOnly }: { readonly isMetadataOnly?: boolean | undefined },
): EventStore => (isMetadataOnly ? metadataOnlyStore : store)

/** Returns those of the next `limit` events after a position that a projection handles. */
export const readHandledEvents = (
  store: EventStore,
  projection: Pick<AnyProjection, 'on'>,
  after: Position | null,
  limit: number,
): Promise<EventPage> => store.readAll(after, { limit, types: getHandledTypes(projection) })

/** Returns the keys of the rows an event affects. Throws UnsupportedEventVersion for an event of a newer version. */
export function getRowKeys(projection: AnyProjection, event: Recorded): readonly string[] {
  if (!handlesEvent(projection, event.type)) return []
  if (event.isNewer) throw new UnsupportedEventVersion(event)
  const keys = projection.rowOf(event) as string | readonly string[] | null
  if (keys === null) return []
  return typeof keys === 'string' ? [keys] : [...new Set(keys)]
}

/** Folds one event into the rows it affects, for live updates, rebuilds and verification alike. */
export function applyEvent(projection: AnyProjection, rows: Rows, event: Recorded): void {
  const fold = projection.on[event.type] as Fold<DomainEvent, Row> | undefined
  if (!fold) return
  for (const key of getRowKeys(projection, event)) rows.set(key, fold(rows.get(key) ?? null, event, key))
}
