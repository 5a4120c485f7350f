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

/** How this computer calls the key that goes with letters. */
export const commandKeyLabel = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '\u2318' : 'Ctrl'

/** A key of the keyboard, as it is printed on it. */
export function KeyCap({ children }: { children: string }) {
  return <kbd className={useStyles().key}>{children}</kbd>
}
