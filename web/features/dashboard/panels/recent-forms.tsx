import { Button, makeStyles, mergeClasses, Spinner, Text, tokens } from '@fluentui/react-components'
import { CheckmarkCircle16Filled } from '@fluentui/react-icons/svg/checkmark-circle'
import { ClipboardTextLtrRegular } from '@fluentui/react-icons/svg/clipboard-text-ltr'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import type { Loadable } from './loadable.ts'
import type { RecentForm } from '../dashboard-model.ts'
import { PanelEmpty, LoadablePanel } from './loadable-panel.tsx'
import { useAccountNeeded } from '../demo/account-needed-context.ts'
import { formatLongDate } from '../format.ts'

const small = '@media (max-width: 1279px)'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: '0 20px 16px' },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 132px 200px 250px',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalL,
    minHeight: '60px',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    [small]: { gridTemplateColumns: 'minmax(0, 1fr) auto', rowGap: '8px', padding: '12px 0' },
  },
  first: { borderTop: 'none' },
  text: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', minWidth: 0, overflowWrap: 'anywhere' },
  secondary: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
  analysis: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '6px',
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    [small]: { gridColumn: '1 / -1' },
  },
  done: { color: tokens.colorStatusSuccessForeground1 },
  buttons: {
    display: 'flex',
    justifyContent: 'flex-end',
    columnGap: tokens.spacingHorizontalS,
    [small]: { gridColumn: '1 / -1', justifyContent: 'flex-start' },
  },
  button: { whiteSpace: 'nowrap' },
})

type RecentFormsProps = {
  forms: Loadable<readonly RecentForm[]>
  /** The forms are samples without records, whose buttons lead to the list. */
  isDemo: boolean
  className?: string
}

/** List of up to five recent forms, with the state of their analysis. */
export function RecentForms({ forms, isDemo, className }: RecentFormsProps) {
  const styles = useStyles()
  return (
    <Panel title="Recent Forms & AI Analysis" flush className={className}>
      <LoadablePanel source={forms} loadingLabel="Loading forms" rows={5} errorTitle="Unable to load forms">
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty icon={ClipboardTextLtrRegular} title="No recent forms submitted" />
          ) : (
            <ul className={styles.list}>
              {list.map((form, index) => (
                <li
                  key={form.id}
                  className={mergeClasses(styles.row, index === 0 && styles.first)}
                  data-testid="demo-form"
                >
                  <Form form={form} isDemo={isDemo} />
                </li>
              ))}
            </ul>
          )
        }
      </LoadablePanel>
    </Panel>
  )
}

function Form({
  form: { id, title, name, day, status, isAnalyzed, isSkipped },
  isDemo,
}: {
  form: RecentForm
  isDemo: boolean
}) {
  const formId = isDemo ? null : id
  const styles = useStyles()
  return (
    <>
      <span className={styles.text}>
        <Text weight="semibold" truncate wrap={false}>
          {title}
        </Text>
        <Text className={styles.secondary}>
          {name}, {formatLongDate(day)}
        </Text>
      </span>
      <span>
        <StatusBadge status={status} />
      </span>
      <span className={styles.analysis}>
        {isAnalyzed ? (
          <CheckmarkCircle16Filled className={styles.done} aria-hidden />
        ) : (
          !isSkipped && <Spinner size="extra-tiny" aria-hidden />
        )}
        {isAnalyzed ? 'AI Analysis Complete' : isSkipped ? 'Not Analyzed' : 'Analysis In Progress'}
      </span>
      <span className={styles.buttons}>
        {isAnalyzed ? (
          <FormAction label="View AI Insights" form={title} formId={formId} appearance="subtle" />
        ) : (
          !isSkipped && (
            <Button size="small" appearance="subtle" className={styles.button} disabled>
              Processing
            </Button>
          )
        )}
        <FormAction label="Review Form" form={title} formId={formId} />
      </span>
    </>
  )
}

type FormActionProps = { label: string; form: string; formId: string | null; appearance?: 'subtle' }

/** Link to a form, for a sample to the list; visitors of the public demo learn that it needs an account. */
function FormAction({ label, form, formId, appearance }: FormActionProps) {
  const styles = useStyles()
  const explainAccount = useAccountNeeded()
  const props = {
    size: 'small',
    className: styles.button,
    'aria-label': `${label}, ${form}`,
    ...(appearance ? { appearance } : {}),
  } as const
  if (explainAccount)
    return (
      <Button {...props} onClick={() => explainAccount(label)}>
        {label}
      </Button>
    )
  if (formId === null)
    return (
      <LinkButton {...props} to="/forms">
        {label}
      </LinkButton>
    )
  return (
    <LinkButton {...props} to="/forms/$formId" params={{ formId }}>
      {label}
    </LinkButton>
  )
}
