import { useEffect, useRef, useState } from 'react'
import { useDebouncedValue } from './use-debounced-value.ts'

/**
 * Returns the text of a search field and its setter. It calls `onSearch` when typing pauses, and follows the URL when that changes
 * otherwise (back, a link).
 */
export function useTypedSearch(search: string, onSearch: (search: string) => void) {
  const [typed, setTyped] = useState(search)
  const debounced = useDebouncedValue(typed.trim(), 200)
  const requested = useRef(search)
  useEffect(() => {
    if (debounced === requested.current) return
    requested.current = debounced
    onSearch(debounced)
    // Only when typing pauses: the callback is new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [debounced])
  useEffect(() => {
    if (search === requested.current) return
    requested.current = search
    setTyped(search)
  }, [search])
  return { typed, setTyped }
}
