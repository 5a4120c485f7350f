import {
  Button,
  CounterBadge,
  Field,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  Select,
} from '@fluentui/react-components'
import { FilterRegular } from '@fluentui/react-icons/svg/filter'
import type { SchedulingContext } from '../scheduling-context.ts'
import { type AppliedFilters, countFilters } from './appointments-search.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { statusLabels } from '../labels.ts'

const useStyles = makeStyles({
  surface: { width: '280px', maxWidth: 'calc(100vw - 24px)', boxSizing: 'border-box' },
  fields: { display: 'grid', rowGap: '12px' },
  footer: { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: '8px', rowGap: '8px' },
  label: { '@media (max-width: 1519px)': { display: 'none' } },
  button: { minWidth: 0, '@media (max-width: 1519px)': { '> .fui-Button__icon': { marginRight: 0 } } },
  badge: { marginLeft: '6px' },
})

type FilterMenuProps = {
  context: SchedulingContext
  filters: AppliedFilters
  onChange: (change: { [Key in keyof AppliedFilters]?: AppliedFilters[Key] | undefined }) => void
  onAddProvider: () => void
}

/** Menu that filters the appointments by provider, type and status. */
export function FilterMenu({ context, filters, onChange, onAddProvider }: FilterMenuProps) {
  const styles = useStyles()
  const count = countFilters(filters)
  const renderSelect = (
    name: keyof AppliedFilters,
    title: string,
    all: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <Field label={title}>
      <Select
        value={filters[name] ?? ''}
        onChange={(_, { value }) => onChange({ [name]: value === '' ? undefined : value } as AppliedFilters)}
      >
        <option value="">{all}</option>
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  )
  return (
    <Popover trapFocus positioning="below-end">
      <PopoverTrigger disableButtonEnhancement>
        <Button
          className={styles.button}
          appearance="subtle"
          icon={<FilterRegular />}
          aria-label={count === 0 ? 'Filter' : count === 1 ? 'Filter, 1 active' : `Filter, ${count} active`}
        >
          <span className={styles.label}>Filter</span>
          {count > 0 && <CounterBadge className={styles.badge} count={count} size="small" color="brand" />}
        </Button>
      </PopoverTrigger>
      <PopoverSurface className={styles.surface} aria-label="Filter">
        <div className={styles.fields}>
          {renderSelect(
            'provider',
            'Provider',
            'All providers',
            context.allProviders.map(({ id, name }) => [id, name]),
          )}
          {renderSelect('type', 'Type', 'All types', Object.entries(appointmentTypeLabels))}
          {renderSelect('status', 'Status', 'All statuses', Object.entries(statusLabels))}
          <div className={styles.footer}>
            <Button
              disabledFocusable={count === 0}
              onClick={() => onChange({ provider: undefined, type: undefined, status: undefined })}
            >
              Clear filters
            </Button>
            {context.canAddProvider && (
              <Button appearance="subtle" onClick={onAddProvider}>
                Add provider
              </Button>
            )}
          </div>
        </div>
      </PopoverSurface>
    </Popover>
  )
}
