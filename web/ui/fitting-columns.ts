import { useMemo } from 'react'
import { useIsTight } from './use-is-narrow.ts'

/** Head of a column. `tight` is its width where there is little room (`useIsTight`), if it differs; `hidden` leaves it out there. */
export type ColumnHead = { header: string; width?: string; tight?: string }

const fit = <Head extends ColumnHead>(columns: readonly Head[]): readonly Head[] =>
  columns
    .filter(({ tight }) => tight !== 'hidden')
    .map((column) => (column.tight === undefined ? column : { ...column, width: column.tight }))

/** Returns the columns that there is room for, with their widths. */
export function useFittingColumns<Head extends ColumnHead>(columns: readonly Head[]): readonly Head[] {
  const isTight = useIsTight()
  return useMemo(() => (isTight ? fit(columns) : columns), [columns, isTight])
}
