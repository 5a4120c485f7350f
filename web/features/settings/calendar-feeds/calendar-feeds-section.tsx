import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarFeed } from '#contracts/calendar-feeds.ts'
import type { Provider } from '#contracts/providers.ts'
import { errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { type PracticeTimes, usePracticeTimes } from '#web/entities/practices/practice-time.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { ColourDot } from '#web/ui/colour-dot.tsx'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { calendarFeedsQuery, useRevokeFeed } from '../api.ts'
import { NewFeedDialog } from './new-feed-dialog.tsx'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'

const useStyles = makeStyles({
  description: { margin: '0 0 12px', color: tokens.colorNeutralForeground2 },
  provider: { padding: '12px 0', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  head: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', alignItems: 'center', columnGap: '16px' },
  name: { display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr)', alignItems: 'baseline' },
  feeds: { marginTop: '4px', paddingLeft: '20px' },
})

/** Private addresses with which calendar apps read a provider's appointments. */
export function CalendarFeedsSection() {
  const canEdit = useHasPermission('settings')
  return (
    <Panel title="Calendar feeds" note="For Outlook, Google and Apple">
      {canEdit ? <CalendarFeeds /> : <SectionForbidden subject="Calendar feeds" />}
    </Panel>
  )
}

function CalendarFeeds() {
  const styles = useStyles()
  const providers = useQuery(providersQuery)
  const feeds = useQuery(calendarFeedsQuery)
  const query = {
    data: feeds.data && providers.data && { feeds: feeds.data, providers: providers.data },
    error: feeds.data ? providers.error : (feeds.error ?? providers.error),
    refetch: () => Promise.all([feeds.refetch(), providers.refetch()]),
  }
  return (
    <LoadedSection query={query} subject="Calendar feeds" loadingSubject="the calendar feeds" rows={3}>
      {(loaded) => (
        <>
          <Text as="p" block className={styles.description}>
            A private address shows one provider’s appointments in a calendar app: times and patient initials only.
            Anyone who has the address can read it for a year, until you revoke it, or until the person who created it
            leaves the practice or may no longer manage its settings.
          </Text>
          <CalendarFeedList {...loaded} />
        </>
      )}
    </LoadedSection>
  )
}

function CalendarFeedList({ feeds, providers }: { feeds: readonly CalendarFeed[]; providers: readonly Provider[] }) {
  const [providerForNewFeed, setProviderForNewFeed] = useState<Provider | null>(null)
  const [feedToRevoke, setFeedToRevoke] = useState<CalendarFeed | null>(null)
  const getFeeds = ({ id }: Provider) => feeds.filter(({ providerId }) => providerId === id)
  // Inactive providers are listed only while they have feeds.
  const listed = providers.filter((provider) => provider.active || getFeeds(provider).length > 0)
  if (listed.length === 0)
    return <EmptyState icon={CalendarLtrRegular} title="No providers yet" hint="Add a provider first." />
  return (
    <>
      {listed.map((provider) => (
        <ProviderFeeds
          key={provider.id}
          provider={provider}
          feeds={getFeeds(provider)}
          onCreate={() => setProviderForNewFeed(provider)}
          onRevoke={setFeedToRevoke}
        />
      ))}
      {providerForNewFeed && (
        <NewFeedDialog provider={providerForNewFeed} onClose={() => setProviderForNewFeed(null)} />
      )}
      {feedToRevoke && <RevokeDialog feed={feedToRevoke} onClose={() => setFeedToRevoke(null)} />}
    </>
  )
}

type ProviderFeedsProps = {
  provider: Provider
  feeds: readonly CalendarFeed[]
  onCreate: () => void
  onRevoke: (feed: CalendarFeed) => void
}

function ProviderFeeds({ provider, feeds, onCreate, onRevoke }: ProviderFeedsProps) {
  const styles = useStyles()
  const times = usePracticeTimes()
  const working = feeds.filter(({ ended }) => ended === null)
  const last = working.at(-1)
  const count = working.length === 1 ? '1 address' : `${working.length} addresses`
  return (
    <div className={styles.provider} role="group" aria-label={provider.name}>
      <div className={styles.head}>
        <span className={styles.name}>
          <ColourDot colour={provider.colour} />
          <TwoLineCell
            top={provider.name}
            bottom={last ? `${count}, last created ${times.formatDay(last.createdAt)}` : 'No address yet'}
            strong
            wrap
          />
        </span>
        {provider.active && (
          <Button size="small" icon={<AddRegular />} aria-label={`New address for ${provider.name}`} onClick={onCreate}>
            New address
          </Button>
        )}
      </div>
      {feeds.length > 0 && (
        <div className={styles.feeds}>
          <SettingsList label={`Calendar addresses of ${provider.name}`}>
            {feeds.map((feed) => (
              <SettingsRow key={feed.id}>
                <TwoLineCell top={feed.label} bottom={describeFeed(feed, times)} wrap />
                <Button
                  size="small"
                  aria-label={`${feed.ended ? 'Remove' : 'Revoke'} ${feed.label}`}
                  onClick={() => onRevoke(feed)}
                >
                  {feed.ended ? 'Remove' : 'Revoke'}
                </Button>
              </SettingsRow>
            ))}
          </SettingsList>
        </div>
      )}
    </div>
  )
}

const endReasons = {
  'creator-left': 'left the practice',
  'permission-lost': 'may no longer manage calendar feeds',
} as const

function describeFeed({ createdAt, createdBy, ended, expiresAt }: CalendarFeed, times: PracticeTimes): string {
  const { formatInstant, formatDay } = times
  if (ended)
    return `Ended ${formatInstant(ended.at)}, because ${createdBy ?? 'its creator'} ${endReasons[ended.reason]}. The address no longer works.`
  const by = createdBy === null ? '' : `by ${createdBy}, `
  return `Created ${by}${formatInstant(createdAt)}, expires ${formatDay(expiresAt)}`
}

function RevokeDialog({ feed, onClose }: { feed: CalendarFeed; onClose: () => void }) {
  const notify = useNotify()
  const revoke = useRevokeFeed()
  const labels = feed.ended ? removeLabels : revokeLabels
  const confirm = async () => {
    try {
      await revoke.mutateAsync(feed.id)
      notify({ title: labels.done, body: feed.label })
      onClose()
    } catch {
      // The dialog stays open and shows the error.
    }
  }
  return (
    <ConfirmDialog
      open
      title={`${labels.action} "${feed.label}"?`}
      action={labels.action}
      pendingAction={labels.pendingAction}
      pending={revoke.isPending}
      failure={revoke.error ? errorMessage(revoke.error) : null}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{labels.effect}</Text>
      <SecondaryText>You can create a new address at any time.</SecondaryText>
    </ConfirmDialog>
  )
}

const revokeLabels = {
  action: 'Revoke',
  pendingAction: 'Revoking...',
  done: 'Calendar address revoked',
  effect: 'Calendar apps that use this address stop showing new appointments. It cannot be restored.',
}

const removeLabels = {
  action: 'Remove',
  pendingAction: 'Removing...',
  done: 'Calendar address removed',
  effect: 'The address has stopped working already. It is only removed from this list.',
}
