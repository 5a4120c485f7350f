import { Input, makeStyles } from '@fluentui/react-components'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useDebouncedValue } from './use-debounced-value.ts'

const useStyles = makeStyles({
  search: { width: '280px', '@media (max-width: 767px)': { width: '100%' } },
})

type SearchFieldProps = {
  label: string
  placeholder: string
  search: string
  inputRef: RefObject<HTMLInputElement | null>
  onSearch: (search: string) => void
}

/** Searches when typing pauses, and follows the URL when it changes otherwise (back, a link). */
export function SearchField({ label, placeholder, search, inputRef, onSearch }: SearchFieldProps) {
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
  return (
    <Input
      className={useStyles().search}
      type="search"
      contentBefore={<SearchRegular />}
      placeholder={placeholder}
      aria-label={label}
      input={{ ref: inputRef, maxLength: 200 }}
      value={typed}
      onChange={(_, { value }) => setTyped(value)}
    />
  )
}
