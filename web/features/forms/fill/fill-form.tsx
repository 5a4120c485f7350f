import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { getAnswer } from '#contracts/form-answers.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useSubmitOnce } from '#web/forms/use-submit-once.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Stepper } from '#web/ui/stepper.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { DraftIndicator } from './draft-notice.tsx'
import type { DraftState } from './draft-queue.ts'
import { listSteps } from './fill-steps.ts'
import { QuestionField } from './question-field.tsx'
import { useDraft } from './use-draft.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  column: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '16px', maxWidth: '800px' },
  card: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    minWidth: 0,
    overflow: 'clip',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
    ':focus': { outline: 'none' },
  },
  questions: { display: 'grid', rowGap: '20px', padding: '20px', [narrow]: { padding: '16px 12px' } },
  footer: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '12px',
    rowGap: '8px',
    padding: '12px 20px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground2,
    [narrow]: { padding: '12px' },
  },
  buttons: { display: 'flex', columnGap: '8px', marginLeft: 'auto' },
})

/** Milliseconds for which leaving waits for the last answers to be saved, before it asks. */
const maxLeaveMs = 3_000

const whether = (isSaved: Promise<boolean>) =>
  Promise.race([isSaved, new Promise<boolean>((resolve) => setTimeout(() => resolve(false), maxLeaveMs))])

/** Returns the title of a group as it fits beside others: of a questionnaire its name, without the instruction after it. */
const toStepLabel = (title: string): string => title.split(':', 1)[0] ?? title

type FillFormProps = Parameters<typeof useDraft>[0] & {
  title: string
  /** Explains why answers are not saved. */
  renderNotice: (state: DraftState, failure: ApiProblem | null) => ReactNode
  /** Called after the answers were handed in. */
  onSubmitted: () => Promise<void> | void
}

/** Steps of a form. Answers are saved while they are typed; the last step hands them in. */
export function FillForm({ title, answers, template, save, renderNotice, onSubmitted }: FillFormProps) {
  const styles = useStyles()
  const notify = useNotify()
  const draft = useDraft({ answers, template, save })
  const { typed, state, errors, failure, isSubmitting, queue } = draft
  const steps = listSteps(template, typed)
  const [stepId, setStepId] = useState(steps[0]?.id)
  const current = Math.max(
    0,
    steps.findIndex(({ id }) => id === stepId),
  )
  const step = steps[current]
  const isLast = current >= steps.length - 1
  /** The question to focus; a new object for every request. */
  const [focused, setFocused] = useState<{ questionId: string } | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const blocker = useBlocker({
    shouldBlockFn: async () => !(await whether(queue.flush())),
    enableBeforeUnload: () => !queue.isSaved(),
    withResolver: true,
  })

  useEffect(() => {
    if (!focused) return
    const question = element.current?.querySelector(`[data-question="${CSS.escape(focused.questionId)}"]`)
    question?.scrollIntoView({ block: 'center' })
    question?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [focused])

  const goTo = (index: number) => {
    setStepId(steps[index]?.id)
    scrollTo({ top: 0 })
    // After the heading of the next step is rendered.
    setTimeout(() => heading.current?.focus({ preventScroll: true }))
  }
  const showQuestion = (questionId: string) => {
    const at = listSteps(template, typed).find(({ questions }) => questions.some(({ id }) => id === questionId))
    if (at) setStepId(at.id)
    setFocused({ questionId })
  }
  const submit = async () => {
    try {
      const faulty = await draft.submit()
      if (faulty !== null) return showQuestion(faulty)
      await onSubmitted()
    } catch (error) {
      const body = error instanceof ApiProblem && error.status === 409 ? error.detail : errorMessage(error)
      notify({ title: 'Failed to submit the form', body, intent: 'error' })
    }
  }
  const goOn = useSubmitOnce(() => (isLast ? submit() : goTo(current + 1)))

  return (
    <div className={styles.column}>
      {steps.length > 1 && (
        <Stepper steps={steps.map(({ title }) => toStepLabel(title))} current={current} label={title} />
      )}
      {renderNotice(state, failure)}
      <form
        ref={element}
        className={styles.card}
        onSubmit={goOn}
        noValidate
        data-unsaved={state !== 'saved' || undefined}
      >
        <div className={styles.questions}>
          <h2 ref={heading} tabIndex={-1} className={styles.title}>
            {step?.title ?? title}
          </h2>
          {step?.questions.map((question) => (
            <QuestionField
              key={question.id}
              question={question}
              answer={getAnswer(typed, question.id)}
              error={errors.get(question.id)}
              onAnswer={(answer) => draft.answer(question, answer)}
              onCheck={() => draft.check(question)}
            />
          ))}
        </div>
        <div className={styles.footer}>
          <DraftIndicator state={state} />
          <span className={styles.buttons}>
            {current > 0 && (
              <Button onClick={() => goTo(current - 1)} disabledFocusable={isSubmitting}>
                Back
              </Button>
            )}
            <Button type="submit" appearance="primary" disabledFocusable={isSubmitting}>
              {isLast ? (isSubmitting ? 'Submitting...' : 'Submit') : 'Next'}
            </Button>
          </span>
        </div>
      </form>
      <ConfirmDialog
        open={blocker.status === 'blocked'}
        title="Leave without saving?"
        action="Leave"
        cancel="Keep editing"
        danger
        onConfirm={() => blocker.proceed?.()}
        onCancel={() => blocker.reset?.()}
      >
        <Text>Your last answers are not saved yet. If you leave now, they are lost.</Text>
      </ConfirmDialog>
    </div>
  )
}
