import { Button, Field, Input, makeStyles } from '@fluentui/react-components'
import { CheckmarkRegular } from '@fluentui/react-icons/svg/checkmark'
import { CopyRegular } from '@fluentui/react-icons/svg/copy'
import { useRef, useState } from 'react'

const useStyles = makeStyles({
  row: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '8px' },
  button: { alignSelf: 'end' },
})

/** Read-only text with a button that copies it, which has the focus. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const styles = useStyles()
  const input = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    input.current?.select()
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // The browser may deny access to the clipboard; the text is selected, so the user can copy it.
    }
  }
  return (
    <div className={styles.row}>
      <Field label={label}>
        <Input ref={input} readOnly value={value} onFocus={(event) => event.target.select()} />
      </Field>
      <Button
        appearance="primary"
        className={styles.button}
        icon={copied ? <CheckmarkRegular /> : <CopyRegular />}
        onClick={() => void copy()}
        autoFocus
      >
        <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
      </Button>
    </div>
  )
}
