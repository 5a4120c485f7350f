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

/** For the owner: what time it is in the sandbox, and the way forward in it. What is due by then happens. */
export function TestClock({ now }: { now: string }) {
  const styles = useStyles()
  const notify = useNotify()
  const advance = useAdvanceTestClock()
  const [typed, type] = useState('31')
  const [wrong, setWrong] = useState<string | null>(null)
  const send = useSubmitOnce(async () => {
    const days = Number(typed)
    if (!Number.isInteger(days) || days < 1 || days > maxAdvanceDays)
      return setWrong(`Please enter 1 to ${maxAdvanceDays} days`)
    setWrong(null)
    try {
      const { now: later } = await advance.mutateAsync(days)
      notify({ title: 'Test clock moved', body: `It is ${formatBillingDate(later)} in the sandbox now.` })
    } catch (error) {
      notify({
        title: 'The test clock did not move',
        body: error instanceof ApiProblem ? error.detail : errorMessage(error),
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
            Trials end, months are charged and failed payments are tried again as the clock goes by.
          </SecondaryText>
        </div>
        <Field label="Days" className={styles.days} {...(wrong ? { validationMessage: wrong } : {})}>
          <SpinButton
            min={1}
            max={maxAdvanceDays}
            value={Number(typed) || null}
            displayValue={typed}
            onChange={(_, { value, displayValue }) => type(String(value ?? displayValue ?? ''))}
          />
        </Field>
        <Button type="submit" disabledFocusable={advance.isPending}>
          {advance.isPending ? 'Advancing...' : 'Advance clock'}
        </Button>
      </form>
    </Panel>
  )
}
