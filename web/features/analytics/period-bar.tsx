import { Button, Input, makeStyles, Select, Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { ProviderId } from '#contracts/values/ids.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { type AnalyticsPeriod, analyticsPeriods, type Days, isAnalyticsPeriod } from './analytics-period.ts'
import { Tab, TabList } from '#web/ui/tabs.tsx'

const useStyles = makeStyles({
  bar: {
    '@media print': { display: 'none' },
    display: 'flex',
    alignItems: 'center',
    columnGap: '8px',
    rowGap: '8px',
    flexWrap: 'wrap',
  },
  tabs: { marginLeft: '-10px', marginRight: 'auto', maxWidth: '100%', overflowX: 'auto' },
  filter: { maxWidth: 'min(100%, 280px)' },
  custom: { display: 'flex', alignItems: 'center', columnGap: '8px', rowGap: '8px', flexWrap: 'wrap', width: '100%' },
})

/** The appointments that are counted; all without a provider or a type. */
type Filter = { provider?: ProviderId; type?: AppointmentType }

type PeriodBarProps = {
  period: AnalyticsPeriod
  /** The days that are shown. */
  days: Days
  provider: ProviderId | undefined
  onPeriod: (period: AnalyticsPeriod, days: Days) => void
  type: AppointmentType | undefined
  onFilter: (filter: Filter) => void
}

/** The choice of a period, a provider and a type of appointment. */
export function PeriodBar({ period, days, provider, type, onPeriod, onFilter }: PeriodBarProps) {
  const styles = useStyles()
  const { data: providers = [] } = useQuery(providersQuery)
  const filter = (next: { provider: string; type: string }) => {
    const chosen = { provider: ProviderId.safeParse(next.provider), type: AppointmentType.safeParse(next.type) }
    onFilter({
      ...(chosen.provider.success ? { provider: chosen.provider.data } : {}),
      ...(chosen.type.success ? { type: chosen.type.data } : {}),
    })
  }
  const shown = { provider: provider ?? '', type: type ?? '' }
  return (
    <div className={styles.bar}>
      <TabList
        className={styles.tabs}
        selectedValue={period}
        size="small"
        aria-label="Period"
        onTabSelect={(_, { value }) => isAnalyticsPeriod(value) && onPeriod(value, days)}
      >
        {Object.entries(analyticsPeriods).map(([key, label]) => (
          <Tab key={key} value={key}>
            {label}
          </Tab>
        ))}
      </TabList>
      <Select
        className={styles.filter}
        aria-label="Provider"
        value={shown.provider}
        onChange={(_, { value }) => filter({ ...shown, provider: value })}
      >
        <option value="">All providers</option>
        {providers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select aria-label="Type" value={shown.type} onChange={(_, { value }) => filter({ ...shown, type: value })}>
        <option value="">All types</option>
        {AppointmentType.options.map((option) => (
          <option key={option} value={option}>
            {appointmentTypeLabels[option]}
          </option>
        ))}
      </Select>
      {period === 'custom' && (
        <CustomDays key={`${days.from}-${days.to}`} days={days} onDays={(chosen) => onPeriod('custom', chosen)} />
      )}
    </div>
  )
}

/** The first and the last day of a chosen period, which is shown once the form is sent. */
function CustomDays({ days, onDays }: { days: Days; onDays: (days: Days) => void }) {
  const styles = useStyles()
  const [{ from, to }, setDays] = useState(days)
  const isOrdered = from !== '' && to !== '' && from <= to
  const show = (event: FormEvent) => {
    event.preventDefault()
    if (isOrdered) onDays({ from, to })
  }
  return (
    <form className={styles.custom} onSubmit={show} aria-label="Custom period">
      <Input
        type="date"
        aria-label="From"
        value={from}
        onChange={(_, { value }) => setDays((shown) => ({ ...shown, from: value }))}
      />
      <Text>to</Text>
      <Input
        type="date"
        aria-label="To"
        value={to}
        onChange={(_, { value }) => setDays((shown) => ({ ...shown, to: value }))}
      />
      <Button type="submit" disabledFocusable={!isOrdered}>
        Show
      </Button>
      {!isOrdered && <Text role="status">Please choose a first day and a last day after it.</Text>}
    </form>
  )
}
