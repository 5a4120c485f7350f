import { Input, makeStyles, tokens } from '@fluentui/react-components'
import { ArrowUploadRegular, SearchRegular } from '@fluentui/react-icons'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useDebouncedValue } from '#web/ui/use-debounced-value.ts'
import { LinkButton } from '#web/ui/link-button.tsx'

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
  push: { marginLeft: 'auto' },
})

type PatientsBarProps = {
  search: string
  /** How many there are; null while nobody knows. */
  total: number | null
  field: RefObject<HTMLInputElement | null>
  onSearch: (search: string) => void
}

/** Search, how many, and the way to bring a whole list over. */
export function PatientsBar({ search, total, field, onSearch }: PatientsBarProps) {
  const styles = useStyles()
  return (
    <div className={styles.bar}>
      <SearchField search={search} field={field} onSearch={onSearch} />
      <span aria-live="polite">
        {total !== null && <span className={styles.count}>{total.toLocaleString('en-US')} patients</span>}
      </span>
      <LinkButton to="/patients/import" className={styles.push} icon={<ArrowUploadRegular />}>
        Import
      </LinkButton>
    </div>
  )
}

/** What is typed is asked for when the typing rests; what the address says otherwise (back, a link) is shown. */
function SearchField({ search, field, onSearch }: Omit<PatientsBarProps, 'total'>) {
  const styles = useStyles()
  const [typed, setTyped] = useState(search)
  const rested = useDebouncedValue(typed.trim(), 200)
  const asked = useRef(search)
  useEffect(() => {
    if (rested === asked.current) return
    asked.current = rested
    onSearch(rested)
    // Only when the typing rests: the callback is a new one with every page that loads.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [rested])
  useEffect(() => {
    if (search === asked.current) return
    asked.current = search
    setTyped(search)
  }, [search])
  return (
    <Input
      className={styles.search}
      type="search"
      contentBefore={<SearchRegular />}
      placeholder="Search patients by name, email..."
      aria-label="Search patients"
      input={{ ref: field, maxLength: 200 }}
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
