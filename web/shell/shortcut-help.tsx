import { makeStyles } from '@fluentui/react-components'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { commandKeyLabel, KeyCap } from '#web/ui/key-cap.tsx'
import { useActiveShortcuts } from '#web/ui/shortcuts.ts'

const useStyles = makeStyles({
  list: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    columnGap: '20px',
    rowGap: '10px',
    alignItems: 'center',
  },
  description: { margin: 0 },
})

const keySymbols: Record<string, string> = {
  ArrowLeft: '\u2190',
  ArrowRight: '\u2192',
  ArrowUp: '\u2191',
  ArrowDown: '\u2193',
}
const keySymbol = (key: string) =>
  key.replace('Ctrl+', `${commandKeyLabel} `).replaceAll(/Arrow\w+/g, (arrow) => keySymbols[arrow] ?? arrow)

/** Dialog that lists the shortcuts of the current screen. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const styles = useStyles()
  const shortcuts = useActiveShortcuts()
  return (
    <DialogFrame title="Keyboard shortcuts" closeLabel="Close" closeAppearance="primary" onClose={onClose}>
      <dl className={styles.list}>
        {shortcuts.map(({ key, label }) => (
          <div key={key + label} style={{ display: 'contents' }}>
            <dt>
              <KeyCap>{keySymbol(key)}</KeyCap>
            </dt>
            <dd className={styles.description}>{label}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  )
}
