import { makeStyles, Text, tokens } from '@fluentui/react-components'
import type { FluentIcon } from '@fluentui/react-icons'
import type { ReactNode } from 'react'

const useStyles = makeStyles({
  section: {
    padding: '16px 0',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    ':last-child': { borderBottom: 'none' },
  },
  heading: {
    margin: '0 0 8px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  detailList: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: '144px minmax(0, 1fr)',
    rowGap: '6px',
    '@media (max-width: 639px)': { gridTemplateColumns: '112px minmax(0, 1fr)', columnGap: '8px' },
  },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere', whiteSpace: 'pre-line' },
  line: { display: 'flex', alignItems: 'flex-start', columnGap: '10px', padding: '5px 0' },
  icon: { color: tokens.colorNeutralForeground3, fontSize: '18px', flexShrink: 0, marginTop: '1px' },
  wrap: { overflowWrap: 'anywhere', whiteSpace: 'pre-line', minWidth: 0 },
  link: { color: 'inherit', textDecorationLine: 'none', ':hover': { textDecorationLine: 'underline' } },
  visuallyHidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  secondary: { color: tokens.colorNeutralForeground3 },
  list: { margin: 0, paddingLeft: '18px', display: 'grid', rowGap: '4px', overflowWrap: 'anywhere' },
})

/** Section of a record under its title. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{title}</h3>
      {children}
    </section>
  )
}

/** Contact detail with an icon, as a link where one can call or write. */
export function ContactLine({
  icon: Icon,
  label,
  value,
  href,
  note,
}: {
  icon: FluentIcon
  label: string
  value: string | null
  href?: string | undefined
  /** Said after the value. */
  note?: string | undefined
}) {
  const styles = useStyles()
  return (
    <div className={styles.line}>
      <Icon className={styles.icon} aria-hidden />
      <span className={styles.visuallyHidden}>{label}</span>
      <Text className={styles.wrap} dir="auto">
        {value === null ? (
          <span className={styles.secondary}>Not provided</span>
        ) : href ? (
          <a className={styles.link} href={href}>
            {value}
          </a>
        ) : (
          value
        )}
        {note && <span className={styles.secondary}> {note}</span>}
      </Text>
    </div>
  )
}

/** Terms and values in two columns; `emptyText` is shown where there is no value. */
export function DetailPairs({
  rows,
}: {
  rows: readonly (readonly [term: string, value: string | null, emptyText?: string])[]
}) {
  const styles = useStyles()
  return (
    <dl className={styles.detailList}>
      {rows.map(([term, value, emptyText = 'Not provided']) => (
        <div key={term} style={{ display: 'contents' }}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.value} dir="auto">
            {value || <span className={styles.secondary}>{emptyText}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** List of lines, or `emptyText` where there are none. */
export function DetailLines({ lines, emptyText }: { lines: readonly string[]; emptyText: string }) {
  const styles = useStyles()
  if (lines.length === 0) return <Text className={styles.secondary}>{emptyText}</Text>
  return (
    <ul className={styles.list}>
      {lines.map((line, index) => (
        <li key={`${index} ${line}`} dir="auto">
          {line}
        </li>
      ))}
    </ul>
  )
}

/** Text with its line breaks, or `emptyText` where there is none. */
export function DetailText({ text, emptyText }: { text: string | null; emptyText: string }) {
  const styles = useStyles()
  if (!text) return <Text className={styles.secondary}>{emptyText}</Text>
  return (
    <Text className={styles.wrap} dir="auto" block>
      {text}
    </Text>
  )
}
