import { Button, makeStyles, Spinner, tokens } from '@fluentui/react-components'
import { useEffect, useRef } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { ChatMessage } from '#contracts/assistant.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Bubble, Message } from './message.tsx'
import { listSuggestions } from './suggestions.ts'

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: '16px',
    overflowY: 'auto',
    display: 'flex',
    flexDirection: 'column',
    rowGap: '12px',
    backgroundColor: tokens.colorNeutralBackground2,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  suggestions: { display: 'flex', flexWrap: 'wrap', gap: '8px' },
  suggestion: { borderRadius: tokens.borderRadiusCircular, fontWeight: tokens.fontWeightRegular },
})

type ConversationProps = {
  user: CurrentUser
  messages: readonly ChatMessage[]
  isLoading: boolean
  /** A question is being answered. */
  isPending: boolean
  onAsk: (question: string) => void
  /** Called when a link in an answer is followed. */
  onFollow: () => void
  onClose: () => void
}

/** The messages so far, the latest in view; before the first one, what could be asked. */
export function Conversation({ user, messages, isLoading, isPending, onAsk, onFollow, onClose }: ConversationProps) {
  const styles = useStyles()
  const list = useRef<HTMLOListElement>(null)
  const hasPractice = user.practiceId !== null
  const shownCount = messages.length + (isPending ? 1 : 0)
  useEffect(() => {
    if (shownCount > 0) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [shownCount])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is reached by keyboard
    <ol ref={list} className={styles.list} aria-label="Messages" tabIndex={0}>
      <Bubble type="assistant">
        {`Hello ${user.firstName}. I can help with patient questions, schedule optimization, form analysis and more.`}
      </Bubble>
      {!hasPractice && (
        <Bubble type="assistant">
          I answer from the data of your practice. Set up your practice first.
          <LinkButton to="/onboarding" size="small" onClick={onClose}>
            Set up your practice
          </LinkButton>
        </Bubble>
      )}
      {hasPractice && !isLoading && messages.length === 0 && (
        <li className={styles.suggestions}>
          {listSuggestions(user).map((question) => (
            <Button key={question} size="small" className={styles.suggestion} onClick={() => onAsk(question)}>
              {question}
            </Button>
          ))}
        </li>
      )}
      {messages.map((message) => (
        <Message key={message.id} message={message} onFollow={onFollow} />
      ))}
      {(isPending || isLoading) && (
        <Bubble type="assistant">
          <Spinner size="tiny" label={isPending ? 'Looking it up...' : 'Loading...'} labelPosition="after" />
        </Bubble>
      )}
    </ol>
  )
}
