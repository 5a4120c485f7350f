import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark'
import { CopyRegular } from '@fluentui/react-icons/svg/copy'
import { useState } from 'react'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'

const useStyles = makeStyles({
  content: { display: 'grid', rowGap: '16px' },
  codes: {
    listStyleType: 'none',
    margin: 0,
    padding: '12px 16px',
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    rowGap: '8px',
    fontFamily: tokens.fontFamilyMonospace,
    backgroundColor: tokens.colorNeutralBackground2,
    borderRadius: tokens.borderRadiusLarge,
  },
})

/** Formats a code in two halves, as people read it aloud; dashes are ignored when it is typed. */
const formatCode = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`

/** Shows new recovery codes, once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const styles = useStyles()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.map(formatCode).join('\n'))
      setCopied(true)
    } catch {
      // The browser may deny access to the clipboard; the codes can be selected and copied by hand.
    }
  }
  return (
    <DialogFrame
      title="Your recovery codes"
      modalType="alert"
      closeLabel="I have kept them"
      closeAppearance="primary"
      classNames={{ content: styles.content }}
      actions={
        <Button icon={copied ? <CheckmarkRegular /> : <CopyRegular />} onClick={() => void copy()}>
          <span aria-live="polite">{copied ? 'Copied' : 'Copy all'}</span>
        </Button>
      }
      onClose={onClose}
    >
      <Text>
        For the day the phone is at home or lost: each code signs you in once. Print them, or keep them where you keep
        your passwords. They will not be shown again.
      </Text>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{formatCode(code)}</li>
        ))}
      </ul>
    </DialogFrame>
  )
}
