import { Input, makeStyles } from '@fluentui/react-components'
import { ArrowUploadRegular } from '@fluentui/react-icons/svg/arrow-upload'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { type RefObject, useLayoutEffect } from 'react'
import { CountBadge } from '#web/ui/count-badge.tsx'
import { useDeferredAction } from '#web/ui/use-deferred-action.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { useTypedSearch } from '#web/ui/use-typed-search.ts'

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
  alignEnd: { marginLeft: 'auto' },
})

type PatientsBarProps = {
  search: string
  /** Number of patients; null while it is loading. */
  total: number | null
  canImport: boolean
  /** The list shows the result of `search`. */
  isListCurrent: boolean
  inputRef: RefObject<HTMLInputElement | null>
  onSearch: (search: string) => void
  /** Called when the typed text begins or ceases to differ from `search`, so that the list shows another result. */
  onTyping: (isTyping: boolean) => void
  /** Called when a key leads from the search to its result, once the list shows it. */
  onEnterList: (key: ListKey) => void
}

/** A key in the search that leads to the list. */
export type ListKey = 'ArrowDown' | 'Enter'

/** Toolbar of the list: search, number of patients, and the link to the import. */
export function PatientsBar({ total, canImport, ...searchProps }: PatientsBarProps) {
  const styles = useStyles()
  return (
    <div className={styles.bar} {...aboveToasts}>
      <SearchField {...searchProps} />
      <CountBadge total={total} noun="patient" />
      {canImport && (
        <LinkButton to="/patients/import" className={styles.alignEnd} icon={<ArrowUploadRegular />}>
          Import
        </LinkButton>
      )}
    </div>
  )
}

/** Searches when typing pauses, and follows the URL when it changes otherwise (back, a link). */
function SearchField({
  search,
  isListCurrent,
  inputRef,
  onSearch,
  onTyping,
  onEnterList,
}: Omit<PatientsBarProps, 'total' | 'canImport'>) {
  const styles = useStyles()
  const { typed, setTyped } = useTypedSearch(search, onSearch)
  const isTyping = typed.trim() !== search
  useLayoutEffect(() => {
    onTyping(isTyping)
    // The callback is new at every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isTyping])
  const isCurrent = !isTyping && isListCurrent
  const earlyKey = useDeferredAction<ListKey>(isCurrent, onEnterList)
  return (
    <Input
      className={styles.search}
      type="search"
      contentBefore={<SearchRegular />}
      placeholder="Search patients by name, email..."
      aria-label="Search patients"
      input={{ ref: inputRef, maxLength: 200 }}
      value={typed}
      onChange={(_, { value }) => {
        setTyped(value)
        earlyKey.cancel()
      }}
      onBlur={earlyKey.cancel}
      onKeyDown={(event) => {
        const { key, nativeEvent } = event
        if ((key !== 'ArrowDown' && key !== 'Enter') || nativeEvent.isComposing) return
        event.preventDefault()
        if (isCurrent) onEnterList(key)
        else earlyKey.defer(key)
      }}
    />
  )
}
