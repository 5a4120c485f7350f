import { Button, Field, makeStyles, SpinButton, Text, tokens } from '@fluentui/react-components'
import { useState } from 'react'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { Panel } from '#web/ui/panel.tsx'
import { formatBillingDate } from '#web/entities/billing/subscription.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useAdvanceTestClock } from '../manage/manage-api.ts'

const useStyles = makeStyles({
  form: { display: 'flex', alignItems: 'flex-end', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px' },
  now: { display: 'grid', marginRight: 'auto' },
  day: { fontSize: tokens.fontSizeBase400, fontWeight: tokens.fontWeightSemibold },
  days: { width: '96px', '& .fui-SpinButton': { minWidth: 0 } },
})

const maxAdvanceDays = 400

/** Test clock of the sandbox, for the owner. Advancing it runs everything that becomes due. */
export function TestClock({ now }: { now: string }) {
  const styles = useStyles()
  const notify = useNotify()
  const advance = useAdvanceTestClock()
  const [input, setInput] = useState('31')
  const [error, setError] = useState<string | null>(null)
  const send = useSubmitOnce(async () => {
    const days = Number(input)
    if (!Number.isInteger(days) || days < 1 || days > maxAdvanceDays)
      return setError(`Please enter 1 to ${maxAdvanceDays} days`)
    setError(null)
    try {
      const { now: later } = await advance.mutateAsync(days)
      notify({ title: 'Test clock advanced', body: `It is ${formatBillingDate(later)} in the sandbox now.` })
    } catch (failure) {
      notify({
        title: 'Failed to advance the test clock',
        body: failure instanceof ApiProblem ? failure.detail : errorMessage(failure),
        intent: 'error',
      })
    }
    return undefined
  })
  return (
    <Panel title="Test clock" note="Only in the sandbox, only for the owner">
      <form className={styles.form} onSubmit={send} noValidate>
        <div className={styles.now}>
          <SecondaryText>Today in the sandbox</SecondaryText>
          <Text className={styles.day}>{formatBillingDate(now)}</Text>
          <SecondaryText>
            Advancing the clock ends trials, charges monthly fees and retries failed payments.
          </SecondaryText>
        </div>
        <Field label="Days" className={styles.days} {...(error ? { validationMessage: error } : {})}>
          <SpinButton
            min={1}
            max={maxAdvanceDays}
            value={Number(input) || null}
            displayValue={input}
            onChange={(_, { value, displayValue }) => setInput(String(value ?? displayValue ?? ''))}
          />
        </Field>
        <Button type="submit" disabledFocusable={advance.isPending}>
          {advance.isPending ? 'Advancing...' : 'Advance clock'}
        </Button>
      </form>
    </Panel>
  )
}
