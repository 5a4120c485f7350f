import { Button, Field, makeStyles, SpinButton, Text, tokens } from '@fluentui/react-components'
import { useState } from 'react'
import { ApiProblem, wordsOf } from '#web/app/call.ts'
import { useOneAtATime } from '#web/app/one-at-a-time.ts'
import { Panel } from '#web/app/panel.tsx'
import { showBillingDay } from '#web/app/subscription.ts'
import { useNotify } from '#web/app/toasts.tsx'
import { Quiet } from '#web/app/words.tsx'
import { useAdvanceClock } from './manage-api.ts'

const useStyles = makeStyles({
  form: { display: 'flex', alignItems: 'flex-end', flexWrap: 'wrap', columnGap: '12px', rowGap: '12px' },
  now: { display: 'grid', marginRight: 'auto' },
  day: { fontSize: tokens.fontSizeBase400, fontWeight: tokens.fontWeightSemibold },
  days: { width: '96px', '& .fui-SpinButton': { minWidth: 0 } },
})

const most = 400

/** For the owner: what time it is in the sandbox, and the way forward in it. What is due by then happens. */
export function TestClock({ now }: { now: string }) {
  const styles = useStyles()
  const notify = useNotify()
  const advance = useAdvanceClock()
  const [typed, type] = useState('31')
  const [wrong, setWrong] = useState<string | null>(null)
  const send = useOneAtATime(async () => {
    const days = Number(typed)
    if (!Number.isInteger(days) || days < 1 || days > most) return setWrong(`Please enter 1 to ${most} days`)
    setWrong(null)
    try {
      const { now: later } = await advance.mutateAsync(days)
      notify({ title: 'Test clock moved', body: `It is ${showBillingDay(later)} in the sandbox now.` })
    } catch (error) {
      notify({
        title: 'The test clock did not move',
        body: error instanceof ApiProblem ? error.detail : wordsOf(error),
        intent: 'error',
      })
    }
    return undefined
  })
  return (
    <Panel title="Test clock" note="Only in the sandbox, only for the owner">
      <form className={styles.form} onSubmit={send} noValidate>
        <div className={styles.now}>
          <Quiet>Today in the sandbox</Quiet>
          <Text className={styles.day}>{showBillingDay(now)}</Text>
          <Quiet>Trials end, months are charged and failed payments are tried again as the clock goes by.</Quiet>
        </div>
        <Field label="Days" className={styles.days} {...(wrong ? { validationMessage: wrong } : {})}>
          <SpinButton
            min={1}
            max={most}
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
