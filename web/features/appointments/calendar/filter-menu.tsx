import { Button, CounterBadge, makeStyles } from '@fluentui/react-components'
import { FilterRegular } from '@fluentui/react-icons/svg/filter'
import { useState } from 'react'
import { createLate } from '#web/ui/late.tsx'
import { countFilters } from './appointments-search.ts'
import type { FilterProps } from './filter-popover.tsx'

const FilterPopover = createLate(() => import('./filter-popover.tsx').then(({ FilterPopover: it }) => it))

const useStyles = makeStyles({
  label: { '@media (max-width: 1519px)': { display: 'none' } },
  button: { minWidth: 0, '@media (max-width: 1519px)': { '> .fui-Button__icon': { marginRight: 0 } } },
  badge: { marginLeft: '6px' },
})

/** Menu that filters the appointments by provider, type and status. */
export function FilterMenu(props: FilterProps) {
  const styles = useStyles()
  const [isOpen, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const count = countFilters(props.filters)
  return (
    <>
      <Button
        className={styles.button}
        appearance="subtle"
        icon={<FilterRegular />}
        aria-label={count === 0 ? 'Filter' : count === 1 ? 'Filter, 1 active' : `Filter, ${count} active`}
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setButton(currentTarget)
          setOpen(!isOpen)
        }}
      >
        <span className={styles.label}>Filter</span>
        {count > 0 && <CounterBadge className={styles.badge} count={count} size="small" color="brand" />}
      </Button>
      {button && <FilterPopover {...props} opener={button} isOpen={isOpen} onOpenChange={setOpen} />}
    </>
  )
}
