import { Button, Field, makeStyles, Select } from '@fluentui/react-components'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { ButtonPopover } from '#web/ui/button-popover.tsx'
import { statusLabels } from '../labels.ts'
import { type AppliedFilters, countFilters } from './appointments-search.ts'
import type { SchedulingContext } from '../scheduling-context.ts'

const useStyles = makeStyles({
  surface: { width: '280px', maxWidth: 'calc(100vw - 24px)', boxSizing: 'border-box' },
  fields: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '12px',
    // A select is as wide as its longest option otherwise.
    '& .fui-Field': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  footer: { display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: '8px', rowGap: '8px' },
})

/** The filters of the schedule. */
export type FilterProps = {
  context: SchedulingContext
  filters: AppliedFilters
  onChange: (change: { [Key in keyof AppliedFilters]?: AppliedFilters[Key] | undefined }) => void
  onAddProvider: () => void
}

type FilterPopoverProps = FilterProps & {
  opener: HTMLButtonElement
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** The filters, below the button that opens them. */
export function FilterPopover({
  opener,
  isOpen,
  onOpenChange,
  context,
  filters,
  onChange,
  onAddProvider,
}: FilterPopoverProps) {
  const styles = useStyles()
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
    <ButtonPopover
      opener={opener}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      className={styles.surface}
      aria-label="Filter"
    >
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
            disabledFocusable={countFilters(filters) === 0}
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
    </ButtonPopover>
  )
}
