import { type DomainEvent, UnsupportedEventVersion, type Position, type Recorded } from '#eventstore/event.ts'
import type { EventStore, EventPage } from '#eventstore/event-store.ts'

/** The PostgreSQL types a read model may use. `int8` and `json` must hold values that JSON keeps exactly. */
export type ColumnType = 'uuid' | 'text' | 'text[]' | 'int4' | 'int8' | 'bool' | 'date' | 'timestamptz' | 'jsonb'

type Fold<Event extends DomainEvent, Row> = (row: Row | null, event: Recorded<Event>, key: string) => Row | null

/**
 * One read model: a table, and for each event the row that follows from it. Pure, so that the same fold serves live
 * updates, rebuilds, views as of a moment and verification. Dates are YYYY-MM-DD, instants ISO texts with milliseconds
 * and Z, in rows as in events.
 */
export type Projection<Event extends DomainEvent = DomainEvent, Row extends object = object> = {
  /** Also the name of its table, in the schema `read`. */
  readonly name: string
  /** Raised when a fold or a column changes: the engine then rebuilds it from the first event. */
  readonly version: number
  readonly columns: { readonly [Column in keyof Row]-?: ColumnType }
  /** The column that names a row: text or uuid. */
  readonly key: keyof Row & string
  /**
   * Nothing that is sealed is in it: it is rebuilt and verified without the keys of patients, twice as fast. A fold that asks
   * for a sealed field fails there.
   */
  readonly isMetadataOnly?: true
  /** What stands after `create index on read.<name>`: `using gin (words)`, `(practice_id, lower(email))`. */
  readonly indexes?: readonly string[]
  /** The row an event is about, or the rows, or none. */
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

/** A projection as the engine sees it, whatever its rows and events are. */
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

/** Whether a projection has a fold for this kind of event. */
export const handlesEvent = (of: Pick<AnyProjection, 'on'>, type: string): boolean => Object.hasOwn(of.on, type)

/** The names of the events that a projection has a fold for: all that has to be read to fold it. */
export const getHandledTypes = ({ on }: Pick<AnyProjection, 'on'>): readonly string[] => Object.keys(on)

/** The next events after a position that a projection has a fold for, out of so many, opened if it needs that. */
export const readHandledEvents = (
  store: EventStore,
  of: Pick<AnyProjection, 'on' | 'isMetadataOnly'>,
  after: Position | null,
  limit: number,
): Promise<EventPage> => store.readAll(after, limit, getHandledTypes(of), of.isMetadataOnly)

/** The keys of the rows an event touches in a projection. Throws NewerEvent when nobody here can read it. */
export function getRowKeys(of: AnyProjection, event: Recorded): readonly string[] {
  if (!handlesEvent(of, event.type)) return []
  if (event.isNewer) throw new UnsupportedEventVersion(event)
  const keys = of.rowOf(event) as string | readonly string[] | null
  if (keys === null) return []
  return typeof keys === 'string' ? [keys] : [...new Set(keys)]
}

/** Folds one event into the rows it touches. The one fold behind live updates, rebuilds and verification. */
export function applyEvent(of: AnyProjection, rows: Rows, event: Recorded): void {
  const foldOne = of.on[event.type] as Fold<DomainEvent, Row> | undefined
  if (!foldOne) return
  for (const key of getRowKeys(of, event)) rows.set(key, foldOne(rows.get(key) ?? null, event, key))
}
