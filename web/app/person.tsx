import { Avatar, makeStyles, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'

const initials = (name: string) =>
  name
    .split(' ')
    .map(([first]) => first)
    .filter((_, i, all) => i === 0 || i === all.length - 1)
    .join('')

const useStyles = makeStyles({
  row: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalM, minWidth: 0 },
  text: { minWidth: 0, display: 'flex', flexDirection: 'column' },
  name: { fontWeight: tokens.fontWeightSemibold, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  detail: {
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

export function RecordId({ id }: { id: string }) {
  return <span className={useStyles().id}>{id.slice(0, 8)}</span>
}

export function Face({ name, size = 36 }: { name: string; size?: 24 | 28 | 32 | 36 | 56 }) {
  return <Avatar name={name} size={size} initials={initials(name)} aria-hidden className={useStyles().avatar} />
}

export function Person({ name, detail, size = 36 }: { name: string; detail?: ReactNode; size?: 28 | 32 | 36 | 56 }) {
  const styles = useStyles()
  return (
    <span className={styles.row}>
      <Face name={name} size={size} />
      <span className={styles.text}>
        <span className={styles.name}>{name}</span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </span>
    </span>
  )
}
