import { Button, Input, makeStyles } from '@fluentui/react-components'
import { SendRegular } from '@fluentui/react-icons/svg/send'
import { type RefObject, type SyntheticEvent, useState } from 'react'
import { maxQuestionLength } from '#contracts/assistant.ts'

const useStyles = makeStyles({
  form: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '8px' },
})

type QuestionFormProps = {
  input: RefObject<HTMLInputElement | null>
  isDisabled: boolean
  /** No question can be sent right now. */
  isBusy: boolean
  onAsk: (question: string) => void
}

/** The field for the next question. */
export function QuestionForm({ input, isDisabled, isBusy, onAsk }: QuestionFormProps) {
  const styles = useStyles()
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    if (isEmpty || isBusy) return
    setText('')
    onAsk(text)
  }
  return (
    <form className={styles.form} onSubmit={send}>
      <Input
        input={{ ref: input }}
        value={text}
        onChange={(_, { value }) => setText(value)}
        placeholder="Ask about patients, appointments, or forms..."
        aria-label="Your question"
        maxLength={maxQuestionLength}
        autoComplete="off"
        disabled={isDisabled}
      />
      <Button
        appearance="primary"
        type="submit"
        icon={<SendRegular />}
        aria-label="Send"
        disabled={isEmpty || isBusy}
      />
    </form>
  )
}
