import { Field, makeStyles, Radio, RadioGroup, Select, Switch, Textarea, tokens } from '@fluentui/react-components'
import { type Control, useController, useWatch } from 'react-hook-form'
import { ConfirmationConfig, type ConfirmationConfigReply } from '#contracts/confirmations.ts'
import {
  composeText,
  countSegments,
  maxCustomMessage,
  MessageLanguage,
  ReminderTiming,
  ReminderType,
} from '#contracts/values/confirmations.ts'
import { errorMessage } from '#web/api/call.ts'
import { EditDialog } from '#web/forms/edit-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { usePracticeToday } from '#web/entities/practices/practice-time.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatCount } from '#web/ui/format.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { configQuery, useSaveConfig } from '../api.ts'
import { SwitchList } from '../switches/switch-list.tsx'
import { languageLabels, methodLabels, timingLabels } from './labels.ts'

const useStyles = makeStyles({
  fields: { display: 'grid', rowGap: '16px', gridTemplateColumns: 'minmax(0, 1fr)' },
  preview: {
    display: 'grid',
    rowGap: '4px',
    padding: '10px 14px',
    overflowWrap: 'anywhere',
    backgroundColor: tokens.colorNeutralBackground2,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
  },
})

type ConfigValues = {
  reminderType: ReminderType
  reminderTiming: ReminderTiming
  autoReschedule: boolean
  offerFreedSlots: boolean
  askSatisfaction: boolean
  language: MessageLanguage
  customMessage: string
}

type ConfigDialogProps = { onClose: () => void }

/** Edits the settings by which patients are asked about their appointments. */
export function ConfigDialog({ onClose }: ConfigDialogProps) {
  return (
    <EditDialog
      title="Configure Settings"
      loadingLabel="Loading the settings"
      query={configQuery}
      renderError={(error, retry) => (
        <ErrorState title="Failed to fetch the configuration" hint={errorMessage(error)} onRetry={retry} />
      )}
      onClose={onClose}
    >
      {(config) => <ConfigForm start={config} onClose={onClose} />}
    </EditDialog>
  )
}

const toBody = (values: ConfigValues) => ({ ...values, customMessage: values.customMessage.trim() || null })

function ConfigForm({ start, onClose }: ConfigDialogProps & { start: ConfirmationConfigReply }) {
  const styles = useStyles()
  const notify = useNotify()
  const save = useSaveConfig()
  const { channels, practiceName, customMessage, ...settings } = start
  const form = useContractForm<ConfigValues>({
    start: { ...settings, customMessage: customMessage ?? '' },
    schema: ConfirmationConfig,
    toBody,
    toInput: (path) => path as keyof ConfigValues,
    failed: 'Failed to save configuration',
  })
  const submit = form.submitOnce(async (values) => {
    try {
      await save.mutateAsync(toBody(values))
      form.reset(values)
      notify({ title: 'Configuration saved' })
      onClose()
    } catch (error) {
      form.showFailure(error)
    }
  })
  const { isDirty, isSubmitting } = form.formState
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
        <SwitchList shown={['confirmations']} />
        <MethodField control={form.control} />
        <TimingField control={form.control} />
        <SwitchField
          control={form.control}
          name="autoReschedule"
          label="Offer another time"
          hint="A patient who declines gets three free times with the same link."
        />
        <SwitchField
          control={form.control}
          name="offerFreedSlots"
          label="Offer freed times to the waitlist"
          hint="Ten minutes after a cancellation, one patient after the other is asked; each has up to two hours to answer."
        />
        <SwitchField
          control={form.control}
          name="askSatisfaction"
          label="Ask how satisfied patients are"
          hint="Two hours after an appointment, at most every 30 days. Poor answers appear among the messages of patients."
        />
        <LanguageField control={form.control} />
        <MessageField control={form.control} />
        <Preview control={form.control} practiceName={practiceName} canReply={channels.sms === 'vendor'} />
        <OutboxNote channels={channels} />
      </div>
    </FormDialog>
  )
}

/** Names the kinds of messages that no service sends. */
function OutboxNote({ channels: { sms, email } }: Pick<ConfirmationConfigReply, 'channels'>) {
  const kinds = [...(sms === 'outbox' ? ['text messages'] : []), ...(email === 'outbox' ? ['emails'] : [])]
  return (
    kinds.length > 0 && (
      <SecondaryText as="p">
        {`No service for ${kinds.join(' and ')} is connected: they are kept in the outbox of the operator.`}
      </SecondaryText>
    )
  )
}

type FieldProps = { control: Control<ConfigValues> }

function MethodField({ control }: FieldProps) {
  const { field, fieldState } = useController({ control, name: 'reminderType' })
  return (
    <Field label="Ask by" validationMessage={fieldState.error?.message}>
      <RadioGroup
        layout="horizontal"
        name={field.name}
        value={field.value}
        onChange={(_, { value }) => field.onChange(ReminderType.parse(value))}
      >
        {ReminderType.options.map((type) => (
          <Radio key={type} value={type} label={methodLabels[type]} />
        ))}
      </RadioGroup>
    </Field>
  )
}

function TimingField({ control }: FieldProps) {
  const { field, fieldState } = useController({ control, name: 'reminderTiming' })
  return (
    <Field label="When" validationMessage={fieldState.error?.message}>
      <Select {...field}>
        {ReminderTiming.options.map((timing) => (
          <option key={timing} value={timing}>
            {timingLabels[timing]}
          </option>
        ))}
      </Select>
    </Field>
  )
}

type SwitchFieldProps = FieldProps & {
  name: 'autoReschedule' | 'offerFreedSlots' | 'askSatisfaction'
  label: string
  hint: string
}

function SwitchField({ control, name, label, hint }: SwitchFieldProps) {
  const {
    field: { ref, value, onChange, onBlur },
  } = useController({ control, name })
  return (
    <Field hint={hint}>
      <Switch
        label={label}
        checked={value}
        onChange={(_, { checked }) => onChange(checked)}
        onBlur={onBlur}
        ref={ref}
      />
    </Field>
  )
}

function LanguageField({ control }: FieldProps) {
  const { field, fieldState } = useController({ control, name: 'language' })
  return (
    <Field
      label="Language of the messages"
      hint="The pages behind the links follow the language of the patient's device."
      validationMessage={fieldState.error?.message}
    >
      <Select {...field}>
        {MessageLanguage.options.map((language) => (
          <option key={language} value={language}>
            {languageLabels[language]}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function MessageField({ control }: FieldProps) {
  const { field, fieldState } = useController({ control, name: 'customMessage' })
  return (
    <Field label="Add to the message (optional)" validationMessage={fieldState.error?.message}>
      <Textarea resize="vertical" rows={2} {...field} textarea={{ dir: 'auto', maxLength: maxCustomMessage }} />
    </Field>
  )
}

const locales: Record<MessageLanguage, string> = { en: 'en-US', es: 'es-US' }
const dayMs = 86_400_000

/** The text message of an appointment of tomorrow at nine, with the number of messages that it is charged as. */
function Preview({ control, practiceName, canReply }: FieldProps & { practiceName: string; canReply: boolean }) {
  const styles = useStyles()
  const [message, language] = useWatch({ control, name: ['customMessage', 'language'] })
  const nineTomorrow = new Date(Date.parse(`${usePracticeToday()}T09:00:00Z`) + dayMs)
  const format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })
  const text = composeText({
    practiceName,
    when: format.format(nineTomorrow),
    language,
    customMessage: message.trim() || null,
    link: `${window.location.origin}/confirm/...`,
    canReply,
  })
  return (
    <div className={styles.preview}>
      <SecondaryText>As a text message, charged as {formatCount(countSegments(text), 'message')} or more</SecondaryText>
      <span dir="auto">{text}</span>
    </div>
  )
}
