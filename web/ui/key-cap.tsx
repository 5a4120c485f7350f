import { makeStyles, tokens } from '@fluentui/react-components'

const useStyles = makeStyles({
  key: {
    padding: '0 6px',
    fontFamily: tokens.fontFamilyBase,
    fontSize: tokens.fontSizeBase100,
    lineHeight: '20px',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: tokens.colorNeutralBackground1,
  },
})

/** Name of the modifier key on this computer: ⌘ or Ctrl. */
export const commandKeyLabel = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '\u2318' : 'Ctrl'

/** Keyboard key. */
export function KeyCap({ children }: { children: string }) {
  return <kbd className={useStyles().key}>{children}</kbd>
}
