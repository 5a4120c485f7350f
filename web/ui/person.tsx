import { Avatar, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'

/** Returns the first letters of the first and last word of a name, in any script. */
export function getInitials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = words.map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter)) ?? '')
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toLocaleUpperCase()
}

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalM, minWidth: 0 },
  text: { minWidth: 0, display: 'flex', flexDirection: 'column', alignItems: 'flex-start' },
  name: {
    maxWidth: '100%',
    fontWeight: tokens.fontWeightSemibold,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  detail: {
    maxWidth: '100%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  avatar: {
    '> .fui-Avatar__initials': {
      backgroundColor: tokens.colorBrandBackground2,
      color: tokens.colorBrandForeground2,
      fontWeight: tokens.fontWeightSemibold,
      boxShadow: `inset 0 0 0 1px ${tokens.colorBrandStroke2}`,
    },
  },
  id: {
    fontFamily: tokens.fontFamilyMonospace,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
})

/** First eight characters of a record's id, which distinguish patients with the same name. */
export function RecordId({ id, className }: { id: string; className?: string }) {
  return <span className={mergeClasses(useStyles().id, className)}>{id.slice(0, 8)}</span>
}

/** Initials in a circle; decorative, always beside the name. */
export function PersonAvatar({ name, size = 36 }: { name: string; size?: 24 | 28 | 32 | 36 | 56 }) {
  return <Avatar name={name} size={size} initials={getInitials(name)} aria-hidden className={useStyles().avatar} />
}

type PersonProps = {
  name: string
  detail?: ReactNode
  size?: 28 | 32 | 36 | 56
  renderName?: (label: ReactNode) => ReactNode
}

/** Person with initials, name and a detail that distinguishes namesakes. `renderName` can wrap the name in a link. */
export function Person({ name, detail, size = 36, renderName }: PersonProps) {
  const styles = useStyles()
  const label = (
    <span className={styles.name} dir="auto" title={name}>
      {name}
    </span>
  )
  return (
    <span className={styles.row}>
      <PersonAvatar name={name} size={size} />
      <span className={styles.text}>
        {renderName ? renderName(label) : label}
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
    </span>
  )
}
