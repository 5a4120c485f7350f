import { Input, makeStyles } from '@fluentui/react-components'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import type { RefObject } from 'react'
import { useTypedSearch } from './use-typed-search.ts'

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
  const { typed, setTyped } = useTypedSearch(search, onSearch)
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
