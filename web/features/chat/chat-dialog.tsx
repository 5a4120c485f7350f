import { Button, Dialog, DialogSurface, DialogTitle, makeStyles, tokens } from '@fluentui/react-components'
import { DeleteRegular } from '@fluentui/react-icons/svg/delete'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import { chatApology } from '#contracts/assistant.ts'
import { BrandMark } from '#web/ui/brand-mark.tsx'
import { useModalFocus } from '#web/ui/focus-manager.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { assistantQuery, chatHistoryQuery, useAskAssistant } from './api.ts'
import { Conversation } from './conversation.tsx'
import { DeleteHistoryDialog } from './delete-history-dialog.tsx'
import { QuestionForm } from './question-form.tsx'
import { describeSource } from './source-note.ts'

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
  foot: {
    padding: '12px 16px 10px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    display: 'grid',
    rowGap: '6px',
  },
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
  const [isDeleting, setDeleting] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const messages = history.data ?? []
  const isLoading = hasPractice && history.isLoading
  const isBusy = isPending || isLoading || !hasPractice
  useModalFocus()
  // After the effect in which Fluent focuses the first control.
  useEffect(() => input.current?.focus(), [])

  const ask = (question: string) => {
    if (isBusy) return
    mutate(question.trim())
    input.current?.focus()
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
        <Conversation
          user={user}
          messages={messages}
          isLoading={isLoading}
          isPending={isPending}
          onAsk={ask}
          onFollow={closeOnPhone}
          onClose={onClose}
        />
        <div className={styles.foot}>
          <QuestionForm input={input} isDisabled={!hasPractice} isBusy={isBusy} onAsk={ask} />
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
