import { formatCount } from '#web/ui/format.ts'
import { Input, makeStyles, tokens } from '@fluentui/react-components'
import { ArrowUploadRegular } from '@fluentui/react-icons/svg/arrow-upload'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '12px',
    rowGap: '8px',
    [narrow]: { flexWrap: 'wrap' },
  },
  search: { width: '360px', flexShrink: 1, [narrow]: { width: '100%' } },
  count: {
    display: 'inline-block',
    padding: '0 10px',
    lineHeight: '24px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground4,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightMedium,
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  alignEnd: { marginLeft: 'auto' },
})

type PatientsBarProps = {
  search: string
  /** Number of patients; null while it is loading. */
  total: number | null
  inputRef: RefObject<HTMLInputElement | null>
  onSearch: (search: string) => void
}

/** Toolbar of the list: search, number of patients, and the link to the import. */
export function PatientsBar({ search, total, inputRef, onSearch }: PatientsBarProps) {
  const styles = useStyles()
  return (
    <div className={styles.bar} {...aboveToasts}>
      <SearchField search={search} inputRef={inputRef} onSearch={onSearch} />
      <span aria-live="polite">
        {total !== null && <span className={styles.count}>{formatCount(total, 'patient')}</span>}
      </span>
      <LinkButton to="/patients/import" className={styles.alignEnd} icon={<ArrowUploadRegular />}>
        Import
      </LinkButton>
    </div>
  )
}

/** Searches when typing pauses, and follows the URL when it changes otherwise (back, a link). */
function SearchField({ search, inputRef, onSearch }: Omit<PatientsBarProps, 'total'>) {
  const styles = useStyles()
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
      className={styles.search}
      type="search"
      contentBefore={<SearchRegular />}
      placeholder="Search patients by name, email..."
      aria-label="Search patients"
      input={{ ref: inputRef, maxLength: 200 }}
      value={typed}
      onChange={(_, { value }) => setTyped(value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        document.querySelector<HTMLElement>('[data-row]')?.focus()
      }}
    />
  )
}
