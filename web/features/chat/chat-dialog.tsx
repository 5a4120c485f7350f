import {
  Button,
  Dialog,
  DialogSurface,
  DialogTitle,
  Input,
  makeStyles,
  Spinner,
  tokens,
} from '@fluentui/react-components'
import { DeleteRegular } from '@fluentui/react-icons/svg/delete'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { SendRegular } from '@fluentui/react-icons/svg/send'
import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { chatApology, maxQuestionLength } from '#contracts/assistant.ts'
import { errorMessage } from '#web/api/call.ts'
import { BrandMark } from '#web/ui/brand-mark.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useModalFocus } from '#web/ui/focus-manager.tsx'
import { assistantQuery, chatHistoryQuery, useAskAssistant, useDeleteHistory } from './api.ts'
import { Bubble, Message } from './message.tsx'
import { describeSource } from './source-note.ts'
import { listSuggestions } from './suggestions.ts'

/** A phone, on which the dialog covers the screen. */
const phone = '(max-width: 639px)'

const useStyles = makeStyles({
  surface: {
    position: 'fixed',
    inset: 'auto 24px 24px auto',
    margin: 0,
    width: '416px',
    maxWidth: '100vw',
    height: '600px',
    maxHeight: 'calc(100dvh - 24px)',
    padding: 0,
    display: 'grid',
    gridTemplateRows: 'auto minmax(0, 1fr) auto',
    borderRadius: tokens.borderRadiusXLarge,
    overflow: 'hidden',
    boxShadow: tokens.shadow28,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    [`@media ${phone}`]: { inset: 0, width: '100vw', height: '100dvh', maxHeight: 'none', borderRadius: 0 },
    '@media print': { display: 'none' },
  },
  head: {
    display: 'flex',
    alignItems: 'center',
    columnGap: '10px',
    padding: '12px 12px 12px 16px',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  title: { fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightBase400, margin: 0 },
  push: { marginLeft: 'auto' },
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
  foot: {
    padding: '12px 16px 10px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    display: 'grid',
    rowGap: '6px',
  },
  ask: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '8px' },
  note: { textAlign: 'center' },
  announcement: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
})

/**
 * The assistant beside the work: there is no backdrop, and the screen behind stays usable. It answers and proposes links; it
 * changes nothing itself.
 */
export function ChatDialog({ user, onClose }: { user: CurrentUser; onClose: () => void }) {
  const styles = useStyles()
  const hasPractice = user.practiceId !== null
  const history = useQuery({ ...chatHistoryQuery, enabled: hasPractice })
  const { data: assistant } = useQuery({ ...assistantQuery, enabled: hasPractice })
  const { mutate, isPending, data, isError } = useAskAssistant()
  const [text, setText] = useState('')
  const [isDeleting, setDeleting] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const messages = history.data ?? []
  const isLoading = hasPractice && history.isLoading
  const isBusy = isPending || isLoading || !hasPractice
  useModalFocus()
  // After the effect in which Fluent focuses the first control.
  useEffect(() => input.current?.focus(), [])
  const shownCount = messages.length + (isPending ? 1 : 0)
  useEffect(() => {
    if (shownCount > 0) list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [shownCount])

  const ask = (question: string) => {
    const trimmed = question.trim()
    if (trimmed === '' || isBusy) return
    setText('')
    mutate(trimmed)
    input.current?.focus()
  }
  const send = (event: SyntheticEvent) => {
    event.preventDefault()
    ask(text)
  }
  const closeOnPhone = () => {
    if (matchMedia(phone).matches) onClose()
  }

  return (
    <Dialog open modalType="non-modal" onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface className={styles.surface}>
        <div className={styles.head}>
          <BrandMark size={24} />
          <DialogTitle as="h2" action={null} className={styles.title}>
            AI Assistant
          </DialogTitle>
          <StatusBadge status="active" label="Online" />
          <Button
            className={styles.push}
            appearance="subtle"
            icon={<DeleteRegular />}
            aria-label="Delete history"
            title="Delete history"
            disabledFocusable={messages.length === 0 || isPending}
            onClick={() => setDeleting(true)}
          />
          <Button appearance="subtle" icon={<DismissRegular />} aria-label="Close" onClick={onClose} />
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is reached by keyboard */}
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
                <Button key={question} size="small" className={styles.suggestion} onClick={() => ask(question)}>
                  {question}
                </Button>
              ))}
            </li>
          )}
          {messages.map((message) => (
            <Message key={message.id} message={message} onFollow={closeOnPhone} />
          ))}
          {(isPending || isLoading) && (
            <Bubble type="assistant">
              <Spinner size="tiny" label={isPending ? 'Looking it up...' : 'Loading...'} labelPosition="after" />
            </Bubble>
          )}
        </ol>
        <div className={styles.foot}>
          <form className={styles.ask} onSubmit={send}>
            <Input
              input={{ ref: input }}
              value={text}
              onChange={(_, { value }) => setText(value)}
              placeholder="Ask about patients, appointments, or forms..."
              aria-label="Your question"
              maxLength={maxQuestionLength}
              autoComplete="off"
              disabled={!hasPractice}
            />
            <Button
              appearance="primary"
              type="submit"
              icon={<SendRegular />}
              aria-label="Send"
              disabled={text.trim() === '' || isBusy}
            />
          </form>
          {/* A line in any case: the dialog must not grow when it is known. */}
          <SecondaryText className={styles.note}>
            {assistant ? describeSource(assistant.model) : '\u00A0'}
          </SecondaryText>
        </div>
        <span className={styles.announcement} role="status">
          {isPending ? 'Looking it up' : isError ? chatApology : (data?.response ?? '')}
        </span>
        <DeleteHistoryDialog open={isDeleting} onClose={() => setDeleting(false)} />
      </DialogSurface>
    </Dialog>
  )
}

function DeleteHistoryDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { mutate, isPending, error } = useDeleteHistory()
  return (
    <ConfirmDialog
      open={open}
      title="Delete history?"
      action="Delete history"
      pendingAction="Deleting..."
      danger
      pending={isPending}
      failure={error && errorMessage(error)}
      onConfirm={() => mutate(undefined, { onSuccess: onClose })}
      onCancel={onClose}
    >
      All your messages with the assistant in this practice are deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
