import { makeStyles } from '@fluentui/react-components'
import { AutomationEstimates } from '#contracts/automation.ts'
import type { SwitchableAutomation } from '#contracts/values/automation.ts'
import { errorMessage } from '#web/api/call.ts'
import { EditDialog } from '#web/forms/edit-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { statsQuery, useSaveEstimates } from './api.ts'
import { SwitchList } from './switches/switch-list.tsx'

const useStyles = makeStyles({ fields: { display: 'grid', rowGap: '16px', gridTemplateColumns: 'minmax(0, 1fr)' } })

type EstimatesDialogProps = {
  /** The automations that can be switched in it. */
  switches: readonly SwitchableAutomation[]
  onClose: () => void
}

/** Switches what runs by itself, explains how Time Saved and Cost Savings are computed, and edits the estimates behind them. */
export function EstimatesDialog({ switches, onClose }: EstimatesDialogProps) {
  return (
    <EditDialog
      title="Configure Settings"
      loadingLabel="Loading the estimates"
      query={statsQuery}
      renderError={(error, retry) => (
        <ErrorState title="Failed to fetch the estimates" hint={errorMessage(error)} onRetry={retry} />
      )}
      onClose={onClose}
    >
      {({ estimates }) => <EstimatesForm start={estimates} switches={switches} onClose={onClose} />}
    </EditDialog>
  )
}

type EstimateValues = { minutesPerMessage: string; minutesPerForm: string; hourlyRate: string }

/** Returns a plain decimal text as a number; NaN for any other. */
const toNumber = (text: string) => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN)

/** Returns an amount in cents; a third decimal stays visible as a fraction. */
const toCents = (text: string) => {
  const cents = toNumber(text) * 100
  return Math.abs(cents - Math.round(cents)) < 1e-6 ? Math.round(cents) : cents
}

const toBody = ({ minutesPerMessage, minutesPerForm, hourlyRate }: EstimateValues) => ({
  minutesPerMessage: toNumber(minutesPerMessage),
  minutesPerForm: toNumber(minutesPerForm),
  hourlyRateCents: toCents(hourlyRate),
})

function EstimatesForm({ start, switches, onClose }: EstimatesDialogProps & { start: AutomationEstimates }) {
  const styles = useStyles()
  const notify = useNotify()
  const save = useSaveEstimates()
  const form = useContractForm<EstimateValues>({
    start: {
      minutesPerMessage: String(start.minutesPerMessage),
      minutesPerForm: String(start.minutesPerForm),
      hourlyRate: (start.hourlyRateCents / 100).toFixed(2),
    },
    schema: AutomationEstimates,
    toBody,
    toInput: (path) => (path === 'hourlyRateCents' ? 'hourlyRate' : path),
    failed: 'Failed to save the estimates',
  })
  const submit = form.submitOnce(async (values) => {
    try {
      await save.mutateAsync(toBody(values))
      form.reset(values)
      notify({ title: 'Estimates saved' })
      onClose()
    } catch (error) {
      form.showFailure(error)
    }
  })
  const { isDirty, isSubmitting } = form.formState
  const share = { control: form.control, size: 'medium', autoComplete: 'off', inputMode: 'decimal' } as const
  return (
    <FormDialog
      title="Configure Settings"
      action="Save"
      pendingAction="Saving..."
      pending={isSubmitting}
      dirty={isDirty && !save.isSuccess}
      signedOut={form.signedOut}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={styles.fields}>
        {switches.length > 0 && <SwitchList shown={switches} />}
        <SecondaryText as="p">
          Time Saved is the number of messages sent and of forms analyzed this month, each multiplied by the minutes
          that a person would need. Cost Savings is that time multiplied by the pay of an hour. Automation Efficiency is
          the share of all actions that did not fail.
        </SecondaryText>
        <TextField {...share} name="minutesPerMessage" label="Minutes for a call to a patient" />
        <TextField {...share} name="minutesPerForm" label="Minutes to read a form" />
        <TextField {...share} name="hourlyRate" label="Pay of an hour, in dollars" />
      </div>
    </FormDialog>
  )
}
