import { Button, Input, makeStyles, Select, Tab, TabList, Text } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ProviderId } from '#contracts/values/ids.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { type AnalyticsPeriod, analyticsPeriods, type Days, isAnalyticsPeriod } from './analytics-period.ts'

const useStyles = makeStyles({
  bar: { display: 'flex', alignItems: 'center', columnGap: '8px', rowGap: '8px', flexWrap: 'wrap' },
  tabs: { marginLeft: '-10px', marginRight: 'auto', maxWidth: '100%', overflowX: 'auto' },
  custom: { display: 'flex', alignItems: 'center', columnGap: '8px', rowGap: '8px', flexWrap: 'wrap', width: '100%' },
})

type PeriodBarProps = {
  period: AnalyticsPeriod
  /** The days that are shown. */
  days: Days
  provider: ProviderId | undefined
  onPeriod: (period: AnalyticsPeriod, days: Days) => void
  onProvider: (provider: ProviderId | undefined) => void
}

/** The choice of a period, and of a provider. */
export function PeriodBar({ period, days, provider, onPeriod, onProvider }: PeriodBarProps) {
  const styles = useStyles()
  const { data: providers = [] } = useQuery(providersQuery)
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
        aria-label="Provider"
        value={provider ?? ''}
        onChange={(_, { value }) => onProvider(value === '' ? undefined : ProviderId.parse(value))}
      >
        <option value="">All providers</option>
        {providers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
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
