import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { MouseEvent, ReactNode } from 'react'
import type { ChatMessage } from '#contracts/assistant.ts'
import { useLinkStyles } from '#web/ui/link-styles.ts'
import { useFollowLink } from '#web/ui/use-follow-link.ts'

const useStyles = makeStyles({
  message: {
    maxWidth: '88%',
    boxSizing: 'border-box',
    display: 'grid',
    rowGap: '8px',
    padding: '8px 12px',
    borderRadius: tokens.borderRadiusXLarge,
    overflowWrap: 'anywhere',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
  },
  assistant: {
    alignSelf: 'flex-start',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderBottomLeftRadius: '4px',
  },
  user: {
    alignSelf: 'flex-end',
    backgroundColor: tokens.colorBrandBackground2,
    border: `1px solid ${tokens.colorBrandStroke2}`,
    borderBottomRightRadius: '4px',
    whiteSpace: 'pre-wrap',
  },
  line: { margin: 0 },
  items: {
    listStyleType: 'none',
    margin: 0,
    padding: '4px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    fontVariantNumeric: 'tabular-nums',
  },
  item: { padding: '2px 0' },
  sources: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    rowGap: '4px',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  number: {
    display: 'inline-grid',
    placeItems: 'center',
    minWidth: '16px',
    height: '16px',
    marginRight: '6px',
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorBrandForeground2,
    fontSize: tokens.fontSizeBase100,
    fontWeight: tokens.fontWeightSemibold,
  },
  actions: { display: 'flex', gap: '8px', flexWrap: 'wrap' },
})

/** A message in its bubble, at the side of who wrote it. */
export function Bubble({ type, children }: { type: ChatMessage['type']; children: ReactNode }) {
  const styles = useStyles()
  return <li className={mergeClasses(styles.message, styles[type])}>{children}</li>
}

/** Splits a text into its paragraphs and lists: lines that begin with "- " are items of a list. */
function toBlocks(content: string): (string | string[])[] {
  const blocks: (string | string[])[] = []
  for (const line of content.split('\n')) {
    const last = blocks.at(-1)
    if (!line.startsWith('- ')) blocks.push(line)
    else if (Array.isArray(last)) last.push(line.slice(2))
    else blocks.push([line.slice(2)])
  }
  return blocks
}

/** A message with the sources that it rests on and the steps that it proposes. */
export function Message({ message, onFollow }: { message: ChatMessage; onFollow: () => void }) {
  const styles = useStyles()
  const links = useLinkStyles()
  const followLink = useFollowLink()
  const { type, content, sources, actions } = message
  const follow = (href: string) => (event: MouseEvent) => {
    if (followLink(event, href)) onFollow()
  }
  if (type === 'user') return <Bubble type="user">{content}</Bubble>
  return (
    <Bubble type="assistant">
      {toBlocks(content).map((block, index) =>
        typeof block === 'string' ? (
          // oxlint-disable-next-line react/no-array-index-key -- the text of a message never changes
          <p key={index} className={styles.line}>
            {block}
          </p>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <ul key={index} className={styles.items}>
            {block.map((item, itemIndex) => (
              // oxlint-disable-next-line react/no-array-index-key
              <li key={itemIndex} className={styles.item}>
                {item}
              </li>
            ))}
          </ul>
        ),
      )}
      {sources.length > 0 && (
        <ul className={styles.sources} aria-label="Sources">
          {sources.map(({ kind, id, label, href }, index) => (
            <li key={`${kind} ${id}`}>
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
              <a className={links.link} href={href} onClick={follow(href)}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map(({ label, href }) => (
            <Button key={href} as="a" size="small" href={href} onClick={follow(href)}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </Bubble>
  )
}
