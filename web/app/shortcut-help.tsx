import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  tokens,
} from '@fluentui/react-components'
import { useActiveShortcuts } from './shortcuts.ts'

const useStyles = makeStyles({
  list: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: 'auto 1fr',
    columnGap: '20px',
    rowGap: '10px',
    alignItems: 'center',
  },
  key: {
    justifySelf: 'start',
    padding: '0 8px',
    lineHeight: '24px',
    fontFamily: tokens.fontFamilyBase,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusSmall,
  },
  what: { margin: 0 },
})

/** Every key that works on this screen. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const styles = useStyles()
  const shortcuts = useActiveShortcuts()
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Keys</DialogTitle>
          <DialogContent>
            <dl className={styles.list}>
              {shortcuts.map(({ key, label }) => (
                <div key={key + label} style={{ display: 'contents' }}>
                  <dt>
                    <kbd className={styles.key}>{key.replace('+', ' ')}</kbd>
                  </dt>
                  <dd className={styles.what}>{label}</dd>
                </div>
              ))}
            </dl>
          </DialogContent>
          <DialogActions>
            <Button appearance="primary" onClick={onClose}>
              Close
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  )
}
