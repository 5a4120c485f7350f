import {
  Button,
  type ButtonProps,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  mergeClasses,
  Text,
  tokens,
} from '@fluentui/react-components'
import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react'
import { submitOnEnter } from './submit-on-enter.ts'
import { useModalFocus } from './focus-manager.tsx'

const useStyles = makeStyles({
  // Fluent lets it touch the edges of a phone.
  surface: { '@media screen and (max-width: 480px)': { maxWidth: 'calc(100vw - 40px)' } },
  failed: { color: tokens.colorStatusDangerForeground1 },
  title: {
    minWidth: 0,
    overflowWrap: 'anywhere',
    borderRadius: tokens.borderRadiusMedium,
    outlineStyle: 'none',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '4px' },
  },
  body: { rowGap: '12px' },
  actions: { paddingTop: '4px', '& .fui-Button': { whiteSpace: 'nowrap' } },
})

type DialogFrameProps = {
  title: string
  /** Focuses the title instead of the first control: for a dialog that opens by itself, while the user may still be typing. */
  focusTitle?: boolean
  /** An alert stays open when the user clicks beside it. */
  modalType?: 'modal' | 'alert'
  /** A request is running: the dialog cannot be closed. */
  pending?: boolean
  /** Error message of the last attempt. */
  failure?: string | null
  /** Label of the button that closes the dialog; it comes first. */
  closeLabel: string
  closeAppearance?: ButtonProps['appearance']
  /** Buttons after the one that closes the dialog. */
  actions?: ReactNode
  /** The buttons share the full width of the dialog. */
  fluidActions?: boolean
  /** Shown between content and buttons; it does not scroll with the content. */
  notice?: ReactNode
  classNames?: { surface?: string; body?: string; content?: string }
  /** Makes the dialog a form, which a button of type submit and Enter submit. */
  onSubmit?: (event: SyntheticEvent) => void
  onClose: () => void
  children: ReactNode
}

/**
 * Dialog with title, content and buttons, mounted while it is open. Escape and the first button close it, except while it is
 * pending; then the focus returns to where it came from.
 */
export function DialogFrame({
  title,
  focusTitle = false,
  modalType = 'modal',
  pending = false,
  failure = null,
  closeLabel,
  closeAppearance = 'secondary',
  actions,
  fluidActions = false,
  notice,
  classNames = {},
  onSubmit,
  onClose,
  children,
}: DialogFrameProps) {
  const styles = useStyles()
  const titleElement = useRef<HTMLHeadingElement>(null)
  useModalFocus()
  // After the effect in which Fluent focuses the first control.
  useEffect(() => {
    if (focusTitle) titleElement.current?.focus()
  }, [focusTitle])
  const body = (
    <DialogBody className={mergeClasses(styles.body, classNames.body)}>
      <DialogTitle ref={titleElement} className={styles.title} tabIndex={focusTitle ? -1 : undefined}>
        {title}
      </DialogTitle>
      <DialogContent className={classNames.content}>
        {children}
        {failure && (
          <Text className={styles.failed} role="alert">
            {failure}
          </Text>
        )}
      </DialogContent>
      {notice}
      <DialogActions fluid={fluidActions} className={styles.actions}>
        <Button appearance={closeAppearance} onClick={onClose} disabledFocusable={pending}>
          {closeLabel}
        </Button>
        {actions}
      </DialogActions>
    </DialogBody>
  )
  return (
    <Dialog open modalType={modalType} onOpenChange={(_, { open }) => !open && !pending && onClose()}>
      <DialogSurface data-printed-alone className={mergeClasses(styles.surface, classNames.surface)}>
        {onSubmit ? (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <form onSubmit={onSubmit} onKeyDown={submitOnEnter} noValidate>
            {body}
          </form>
        ) : (
          body
        )}
      </DialogSurface>
    </Dialog>
  )
}
