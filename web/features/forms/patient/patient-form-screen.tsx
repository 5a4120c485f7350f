import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { CloudOffRegular } from '@fluentui/react-icons/svg/cloud-off'
import { DocumentProhibitedRegular } from '@fluentui/react-icons/svg/document-prohibited'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import {
  lookUpFormLink,
  openPatientForm,
  type OpenedFormLink,
  type PatientForm,
  savePatientForm,
} from '#contracts/form-links.ts'
import { ApiProblem, call, errorMessage } from '#web/api/call.ts'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { NarrowPage } from '#web/ui/narrow-page.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PublicFrame } from '#web/ui/public-frame.tsx'
import type { DraftState } from '../fill/draft-queue.ts'
import { FillForm } from '../fill/fill-form.tsx'

const route = getRouteApi('/f/$token')

const useStyles = makeStyles({
  form: {
    justifySelf: 'center',
    width: '100%',
    maxWidth: '800px',
    display: 'grid',
    alignContent: 'start',
    gridTemplateColumns: 'minmax(0, 1fr)',
    rowGap: '16px',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.02em',
    overflowWrap: 'anywhere',
  },
  intro: { color: tokens.colorNeutralForeground2, overflowWrap: 'anywhere' },
  fields: { display: 'grid', rowGap: '16px' },
  done: { fontSize: '40px', color: tokens.colorStatusSuccessForeground1 },
})

const isGone = (error: unknown) => error instanceof ApiProblem && (error.status === 404 || error.status === 410)

/** `/f/$token`: a patient fills in one form, without an account. */
export function PatientFormScreen() {
  const { token } = route.useParams()
  const link = useQuery({
    queryKey: ['form-link', token],
    queryFn: ({ signal }) => call(lookUpFormLink, { body: { token } }, signal),
    retry: false,
    // The link is looked up once: it may close while the form is open.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (link.data) return <LinkedForm token={token} practice={link.data} />
  if (!link.error || link.isFetching) return <LoadingScreen />
  if (isGone(link.error)) return <GoneLink error={link.error} practice={null} />
  return (
    <PublicFrame>
      <ErrorState
        title="The form could not be loaded"
        hint={errorMessage(link.error)}
        onRetry={() => void link.refetch()}
      />
    </PublicFrame>
  )
}

const callPractice = (practice: OpenedFormLink | null) =>
  practice?.practicePhone
    ? ` Please call ${practice.practiceName}: ${practice.practicePhone}.`
    : ' Please call the practice.'

const goneTitles: Readonly<Record<string, string>> = {
  'form-submitted': 'This form was handed in',
  'link-expired': 'This link has expired',
  'link-closed': 'This link is closed',
  'link-replaced': 'There is a newer link',
}

function GoneLink({ error, practice }: { error: unknown; practice: OpenedFormLink | null }) {
  const { code, detail } = error instanceof ApiProblem ? error : { code: '', detail: '' }
  const next = code === 'form-submitted' ? '' : callPractice(practice)
  return <NarrowPage title={goneTitles[code] ?? 'This link does not work'} intro={`${detail}${next}`} />
}

/** Asks for the date of birth, then shows the form, then thanks. What was typed stays when the date is asked for again. */
function LinkedForm({ token, practice }: { token: string; practice: OpenedFormLink }) {
  const styles = useStyles()
  const [form, setForm] = useState<PatientForm | null>(null)
  const [isDone, setIsDone] = useState(false)
  const [gone, setGone] = useState<unknown>(null)
  const access = useRef('')
  const [isAskedAgain, setIsAskedAgain] = useState(false)
  const open = (opened: PatientForm) => {
    access.current = opened.access
    setIsAskedAgain(false)
    setForm((shown) => shown ?? opened)
  }
  if (gone !== null) return <GoneLink error={gone} practice={practice} />
  if (isDone)
    return (
      <NarrowPage
        title="Thank you"
        intro={`Your answers were sent to ${practice.practiceName}. You can close this page.`}
        icon={<CheckmarkCircleRegular className={styles.done} aria-hidden />}
      />
    )
  if (!form) return <BirthDatePage token={token} practice={practice} onOpen={open} onGone={setGone} />
  return (
    <PublicFrame>
      <div className={styles.form}>
        <h1 className={styles.title}>{form.title}</h1>
        <Text className={styles.intro}>
          For {practice.practiceName}. Your answers are saved while you type.{' '}
          {practice.practicePhone && `Questions? Call ${practice.practicePhone}.`}
        </Text>
        {isAskedAgain && (
          <Notice
            tone="warning"
            icon={DocumentProhibitedRegular}
            title="Please enter your date of birth again"
            role="alert"
          >
            <BirthDateForm token={token} action="Continue" onOpen={open} onGone={setGone} />
          </Notice>
        )}
        <FillForm
          title={form.title}
          answers={form.formData}
          template={form.template}
          save={async (formData, submit) => {
            try {
              await call(savePatientForm, { body: { token, access: access.current, formData, submit } })
            } catch (error) {
              if (error instanceof ApiProblem && error.code === 'identify-again') setIsAskedAgain(true)
              throw error
            }
          }}
          renderNotice={(state, failure) =>
            !isAskedAgain && <SaveNotice state={state} failure={failure} practice={practice} />
          }
          onSubmitted={() => {
            setIsDone(true)
            scrollTo({ top: 0 })
          }}
        />
      </div>
    </PublicFrame>
  )
}

type SaveNoticeProps = { state: DraftState; failure: ApiProblem | null; practice: OpenedFormLink }

/** Explains to the patient why answers are not saved. */
function SaveNotice({ state, failure, practice }: SaveNoticeProps) {
  if (state === 'stopped')
    return (
      <Notice tone="error" icon={DocumentProhibitedRegular} title="Your last answers cannot be saved" role="alert">
        <Text>
          {failure?.detail ?? 'The form was closed.'}
          {callPractice(practice)}
        </Text>
      </Notice>
    )
  if (state !== 'failed') return null
  return (
    <Notice tone="warning" icon={CloudOffRegular} title="Not saved yet" role="alert">
      <Text>
        {failure?.detail ?? 'There is no connection.'} Keep this page open: your answers are saved as soon as possible.
      </Text>
    </Notice>
  )
}

type BirthDateProps = {
  token: string
  onOpen: (form: PatientForm) => void
  onGone: (error: unknown) => void
}

const BirthDatePage = ({ practice, ...props }: BirthDateProps & { practice: OpenedFormLink }) => (
  <NarrowPage
    title={`${practice.practiceName} asks you to fill in a form`}
    tabTitle={`A form of ${practice.practiceName}`}
    intro="Please enter your date of birth, so that no one else sees it. It takes a few minutes, and you can go on later with the same link."
  >
    <BirthDateForm action="Open the form" {...props} />
  </NarrowPage>
)

function BirthDateForm({ token, action, onOpen, onGone }: BirthDateProps & { action: string }) {
  const styles = useStyles()
  const input = useRef<HTMLInputElement>(null)
  const [date, setDate] = useState('')
  const [message, setMessage] = useState<string>()
  const open = useMutation({
    mutationFn: (dateOfBirth: string) => call(openPatientForm, { body: { token, dateOfBirth } }),
  })
  const send = async () => {
    setMessage(undefined)
    try {
      onOpen(await open.mutateAsync(date))
    } catch (error) {
      if (isGone(error)) return onGone(error)
      const problem = error instanceof ApiProblem ? error : null
      setMessage(problem?.problem.errors.at(0)?.message ?? problem?.detail ?? errorMessage(error))
      input.current?.focus()
    }
  }
  const submit = useSubmitOnce(send)
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <Field label="Your date of birth" required validationMessage={message}>
        <Input
          ref={input}
          type="date"
          min="1900-01-01"
          size="large"
          autoComplete="bday"
          value={date}
          onChange={(_, { value }) => setDate(value)}
        />
      </Field>
      <Button appearance="primary" size="large" type="submit" disabledFocusable={open.isPending}>
        {open.isPending ? 'Opening...' : action}
      </Button>
    </form>
  )
}
