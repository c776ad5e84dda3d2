/* studies - the English words of the studies over a corpus: first the page around them, then each
 * study, then the published claims. Fetched with the first study. Numbers in claims are published
 * ones, as far as the study does not give them; what is measured is its answer.
 */
import {relations} from './relations.js';

/** @param {number} count */
const thousands = count => count.toLocaleString('en-GB');
/** @param {number} count @param {string} one */
const plural = (count, one) => `${thousands(count)} ${one}${count === 1 ? '' : 's'}`;
/** @param {number} seconds */
const time = seconds =>
    seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
/** @param {number} value */
const percent = value => `${(100 * value).toFixed(1)} %`;

export const studies = {
    relationWords: relations,
    /** @param {string} code @param {string} said */
    withWords: (code, said) => `${code} (${said})`,
    code: 'en',
    /** Between things that are listed. */
    comma: ', ',
    heading: 'What each head does over a corpus',
    lede:
        'Many texts run through the model, and every head is measured over all of them: numbers with a spread, a count and a test, ' +
        'instead of one picture.',
    rail: 'Corpus and study',
    corpus: 'Corpus',
    corpora: /** @type {Record<string, string>} */ ({
        sentences: 'Sentences with trees',
        pairs: 'Pairs of sentences',
        pronouns: 'Pronouns and what they refer to',
        long: 'Long sentences with trees',
        texts: 'Plain sentences of 110 short texts',
    }),
    yours: 'Your own',
    /** @param {string} name */
    yourName: name => `${name} (yours)`,
    openTitle: 'Open your own corpus',
    file: 'A file…',
    paste: 'Paste…',
    address: 'From a URL…',
    pasteLabel: 'One sentence per line; a tab between the sentences of a pair; or CoNLL-U',
    pasted: 'Pasted text',
    addressLabel: 'URL of a text file (https)',
    addressHint:
        'Another site must allow this (CORS). The file comes to this page and goes nowhere else.',
    use: 'Use this',
    back: 'Cancel',
    drop: 'Drop a corpus: sentences, pairs, TSV, CSV, JSON lines, CoNLL-U, marked mentions, GAP',
    fetching: 'Reading the corpus',
    /** @param {string} done @param {string} total */
    bytes: (done, total) => (total ? `${done} of ${total}` : done),
    /** @param {number} bytes */
    size: bytes =>
        bytes < 1e6
            ? `${Math.max(1, Math.round(bytes / 1000))} kB`
            : `${(bytes / 1e6).toFixed(1)} MB`,
    formats: /** @type {Record<string, string>} */ ({
        auto: 'Detect',
        lines: 'One sentence per line',
        pairs: 'Pairs, tab between them',
        tsv: 'TSV with named columns',
        csv: 'CSV',
        jsonl: 'JSON, an object a line',
        conllu: 'CoNLL-U',
        coref: 'Marked mentions',
        gap: 'GAP (pronouns)',
    }),
    /** @param {string} format @param {number} items @param {string} size */
    summary: (format, items, size) => `${format}, ${plural(items, 'item')}, ${size}`,
    readAs: 'Change how it is read',
    format: 'Format',
    columnNames: /** @type {Record<string, string>} */ ({
        a: 'Sentence A',
        b: 'Sentence B',
        label: 'Label',
    }),
    noColumn: 'none',
    /** @param {number} n */
    columnNumber: n => `column ${n} (line 1 has no names)`,
    /** @param {number} rows */
    leftOut: rows => `${plural(rows, 'row')} left out; the first:`,
    model: 'Model',
    study: 'Study',
    missing: /** @type {Record<string, string>} */ ({
        relations: 'This corpus has no syntactic relations; CoNLL-U has.',
        pairs: 'This corpus has no pairs of sentences.',
        mentions: 'This corpus has no marked mentions; the mentions format and GAP’s TSV have.',
        labels: 'This corpus has no labels; choose a column of labels under “Change how it is read”.',
        other: 'There is no second model; open one from a folder.',
    }),
    otherCorpus: 'Open a corpus that has them',
    noCorpus: 'Choose a corpus first.',
    run: 'Run',
    again: 'Run again',
    cancel: 'Cancel',
    limit: 'Items',
    /** @param {number} limit */
    limitName: limit => (limit ? `at most ${thousands(limit)}, drawn at random` : 'all'),
    /** @param {number} items */
    few: items => `Only ${plural(items, 'item')}: with fewer than 20, the results may be chance.`,
    second: 'Second model',
    secondFolder: 'Open a folder…',
    baseline: 'Also with random weights',
    noBaseline: 'no',
    baselineHint:
        'Also runs a model that was never trained, to show what position and chance alone give; takes twice as long.',
    drawn: /** @type {Record<string, {name: string, hint: string}>} */ ({
        random: {
            name: 'random weights',
            hint: 'All weights are drawn at random, word embeddings included: a model that knows nothing.',
        },
        'random-layers': {
            name: 'random layers, own embeddings',
            hint: 'Random layers on the model’s own embeddings: what exceeds this was learned by the layers.',
        },
    }),
    // what a study finds, against a rule and against random layers; the keys are src/study/chance.c's
    judged: {
        verdicts: /** @type {Record<string, string>} */ ({
            'better than random layers': 'better than random layers',
            'not better than random layers': 'not better than random layers',
            'not better than the rule': 'not better than the rule',
            'not compared with random layers': 'not compared with random layers',
        }),
        /** What was found, then what is said of it.
         * @param {string} found @param {string} verdict one of the above
         * @param {{draws: number, accuracy: string, difference: string, low: string, high: string} | null}
         *     random */
        says: (found, verdict, random) =>
            `${found} ${verdict[0].toUpperCase()}${verdict.slice(1)}${
                random
                    ? `: the best of ${random.draws} untrained models (random layers on the model’s own embeddings) reaches ${random.accuracy}, a difference of ${random.difference} (95 %: ${random.low} to ${random.high})`
                    : ''
            }.`,
        /** @param {string} x */
        points: x => `${x} percentage points`,
        verdict: 'Verdict',
        best: 'Best random layers',
        press: 'Compare with random layers',
        pressHint:
            'Six runs: this model again, and five draws of random layers on its own embeddings.',
    },
    waiting: 'Waiting for the model',
    loading: 'Loading the model',
    running: 'Running',
    /** @param {number} done @param {number} total */
    steps: (done, total) => `${thousands(done)} of ${thousands(total)}`,
    /** @param {number} rate @param {number} left */
    rate: (rate, left) =>
        `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} per second, ${time(left)} left`,
    notYet: 'Not run yet in this visit.',
    /** @param {{items: number, corpus: string, model: string, seconds: number, workers: number, cut:
     *     number, tokens: number, kept?: boolean}} what   workers 0: they are not done */
    of: ({items, corpus, model, seconds, workers, cut, tokens, kept}) =>
        `${plural(items, 'item')} of ${corpus}, ${model}; ` +
        `${plural(tokens, 'token')}${cut ? `, ${plural(cut, 'text')} cut to the model’s length` : ''}; ${kept ? 'kept in this browser' : time(seconds)}${kept || !workers ? '' : ` on ${plural(workers, 'worker')}`}.`,
    /** @param {string} what */
    stale: what => `These results are for ${what}. Run again for the current choice.`,
    staleSettings: 'The settings have changed since. Run again for the current ones.',
    /** @param {string} title */
    finished: title => `${title}: finished.`,
    problem: 'This did not work:',
    close: 'Close',
    save: 'Save results',
    csv: 'CSV',
    json: 'JSON',
    svg: 'SVG',
    /** @param {string} name */
    saved: name => `Saved ${name}.`,
    table: 'The numbers as a table',
    map: {
        layer: 'Layer',
        head: 'Head',
        rest: 'Point at a head for its numbers; press it to see it at work.',
        /** @param {string} place */
        name: place => place,
        none: 'no number',
    },
    // what is said otherwise where a finger points
    touch: {
        map: {rest: 'Press a head for its numbers; press it again to see it at work.'},
        roles: {rest: 'Press a head for its roles and, below, all its scores.'},
        distances: {
            heatRest:
                'Press a cell for its two heads. No two heads are further apart than ln 2 = 0.693.',
        },
        compare: {
            rest: 'Press a head for its numbers; press it again to see it on the text where it changed most.',
        },
    },
    studies: /** @type {Record<string, {title: string, says: string}>} */ ({
        about: {title: 'The corpus', says: 'What it is, as Headlight reads it.'},
        ask: {
            title: 'Ask the corpus',
            says: 'Where else does a head do this? Which tokens are like this one?',
        },
        roles: {
            title: 'Head roles',
            says: 'What each head is for: neighbours, [CLS] and [SEP], its own sentence, or syntax. Each tested.',
        },
        patterns: {
            title: 'Patterns',
            says: 'Where each head looks: next, previous, [SEP], same word …',
        },
        importance: {
            title: 'Head importance',
            says: 'What the model gets wrong without each head: masked words, or labels.',
        },
        induction: {
            title: 'Induction',
            says: 'Heads that continue what was there before: random tokens, twice.',
        },
        distances: {title: 'Distances', says: 'Heads that attend similarly: clusters and a map.'},
        parse: {
            title: 'Heads as parsers',
            says: 'How often a head points from a word to its governor, or back.',
        },
        coref: {title: 'Coreference', says: 'How often a pronoun looks most at its antecedent.'},
        probe: {title: 'Syntax probe', says: 'Reads trees off all heads together; trained here.'},
        labels: {title: 'Label probe', says: 'Predicts labels from what heads do; trained here.'},
        compare: {
            title: 'Two models',
            says: 'Roles gained and lost, before and after fine-tuning.',
        },
        claims: {
            title: 'Published claims',
            says: 'What articles say about BERT’s heads, checked on this model.',
        },
    }),
    about: {
        counts: 'What is in it',
        first: 'First items',
        relations: 'Relations',
        labels: 'Labels',
        items: 'Items',
        format: 'Format',
        pairs: 'Pairs of sentences',
        words: 'Words with relations',
        mentions: 'Marked mentions',
        yes: 'yes',
        no: 'no',
        relation: 'Relation',
        count: 'Count',
        label: 'Label',
        number: 'No.',
        a: 'Sentence A',
        b: 'Sentence B',
        /** @param {number} count */
        more: count => `and ${count} more`,
        /** @param {{items: number, relations: number, format: string}} what */
        describe: ({items, relations, format}) =>
            `${format}, ${items} items${relations ? `, ${relations} kinds of relations` : ''}.`,
    },
    ask: {
        run: 'Index the corpus',
        /** @param {number} limit */
        limitName: limit => (limit ? `at most the first ${thousands(limit)}` : 'all'),
        /** @param {number} items */
        soFar: items =>
            `The answer so far: not all of the ${thousands(items)} items are indexed yet.`,
        /** @param {number} sentences @param {number} items */
        stopped: (sentences, items) =>
            `Indexing was stopped: this answers for the first ${thousands(sentences)} of ${plural(items, 'item')} only.`,
        /** @param {string} word @param {number} sentences @param {boolean} running */
        notYet: (word, sentences, running) =>
            `“${word}” is not in the ${plural(sentences, 'sentence')} indexed so far.${running ? ' It is asked again as more are indexed.' : ''}`,
        kind: 'Question',
        kinds: /** @type {Record<string, string>} */ ({
            head: 'Where does a head look?',
            like: 'Which tokens are like this one?',
            context: 'Where do heads bring the same?',
            find: 'Where is a word?',
        }),
        head: 'Head',
        show: 'List',
        shows: /** @type {Record<string, string>} */ ({
            top: 'those that move most',
            deciles: 'some of each tenth',
            random: 'a random sample',
        }),
        of: 'Word',
        /** @param {number} sentence @param {number} token */
        at: (sentence, token) => `sentence ${sentence}, token ${token}`,
        heads: 'By head',
        allHeads: 'all of the layer',
        narrow: 'Narrow it down',
        wordsOnly:
            'This corpus has words only. Parts of speech and relations come with a corpus in CoNLL-U.',
        sides: {query: 'Query (looks)', key: 'Key (is looked at)', match: 'What is found'},
        by: {
            word: 'Word',
            pos: 'Part of speech',
            relation: 'Relation',
            offset: 'Position of the key',
        },
        any: 'any',
        between: 'From query to key',
        offsets: ['any', 'previous token', 'next token', 'the token itself', 'before', 'after'],
        weight: 'Weight',
        links: {governor: 'Key governs the query as', dependent: 'Key depends on the query as'},
        anyRelation: 'any relation',
        sentence: 'Key is in',
        inSentence: /** @type {Record<string, string>} */ ({
            same: 'the query’s sentence',
            other: 'the other sentence',
        }),
        /** @param {number} offset */
        offset: offset => (offset > 0 ? `+${offset}` : offset < 0 ? `\u2212${-offset}` : '0'),
        places: /** @type {Record<string, string>} */ ({'-1': 'previous', 0: 'itself', 1: 'next'}),
        open: 'Open the sentence in the head view',
        like: 'More like this',
        /** @param {string[]} numbers weight, moved, where the key lies */
        numbers: ([weight, moved, place]) => `weight ${weight} · moved ${moved} · ${place}`,
        /** Where a key lies. @param {number} offset */
        lies: offset =>
            offset
                ? `${plural(Math.abs(offset), 'token')} ${offset > 0 ? 'after' : 'before'}`
                : 'itself',
        /** @param {string} cosine */
        cosine: cosine => `cosine ${cosine}`,
        none: 'Nothing in this corpus fits. Take a filter away, or open a larger corpus.',
        /** @param {number} shown @param {number} all @param {string} [by] what they are sorted by */
        sentences: (shown, all, by = '') =>
            `Sentences${shown < all ? ` (${thousands(shown)} of ${thousands(all)})` : ''}${by && `, ${by}`}`,
        sorted: {
            moved: 'sorted by what is moved (weight × length of the value)',
            cosine: 'sorted by cosine',
        },
        /** @param {string} of @param {string} by */
        title: (of, by) =>
            by === 'offset'
                ? 'Position of the key'
                : by === 'words'
                  ? 'Words it links most'
                  : `${{word: 'Word', pos: 'Part of speech', relation: 'Relation'}[by]}${{query: ' of the query', key: ' of the key', before: ' before it', after: ' after it'}[of] ?? ''}`,
        openLink: 'List the sentences with this link',
        /** @param {number} matches @param {number} others */
        linked: (matches, others) =>
            `Query → key. Of ${plural(matches, 'link')} between the beginnings of two words; ${thousands(others)} ${others === 1 ? 'is' : 'are'} none. Found at least twice; the tick: the words of each sentence shuffled. Not tested.`,
        /** @param {number} matches @param {number} others @param {boolean} tested */
        counted: (matches, others, tested) =>
            `Of ${thousands(matches)} ${matches === 1 ? 'match' : 'matches'}${others ? ` that begin a word; ${thousands(others)} ${others === 1 ? 'does' : 'do'} not` : ''}.${tested ? '' : ' Not tested: the layer does not see all tokens.'}`,
        compare: 'Compare with',
        alone: 'nothing',
        compareHint:
            'Asks another model the same: untrained, or another checkpoint of this one. Takes twice as long.',
        drawn: /** @type {Record<string, string>} */ ({
            random: 'random weights',
            'random-layers': 'random layers',
        }),
        other: 'other model',
        /** @param {string} what @param {string} label @param {string} share @param {string} lift
         * @param {number} of the matches, where few begin a word; else 0 */
        finding: (what, label, share, lift, of) =>
            `${what.toLowerCase()} ${label} ${share}${of ? ` of ${thousands(of)} that begin a word` : ''} (${lift})`,
        /** @param {number} offset @param {string} share '' for all @param {string} lift */
        findingAt: (offset, share, lift) => {
            const places = ['the previous token', 'the token itself', 'the next token'];
            const far = `the token ${Math.abs(offset)} ${offset > 0 ? 'after' : 'before'}`;
            return `${share ? `in ${share}` : 'always'} ${places[offset + 1] ?? far} (${lift})`;
        },
        /** @param {string[]} list */
        list: list => list.join('; '),
        /** @param {string} what @param {string} share @param {string} mean */
        mostly: (what, share, mean) =>
            `${what}: ${share} of all tokens, where added ones such as [SEP] may be looked at too (mean of all heads ${mean}).`,
        /** @param {string[]} links */
        linksMost: links => `Words it links most: ${links.map(link => `“${link}”`).join(', ')}.`,
        /** @param {string} name @param {number} matches @param {number} candidates @param {boolean} whole */
        says: (name, matches, candidates, whole) =>
            whole
                ? `${name} over ${plural(matches, 'token')}, each with the key of its largest weight.`
                : `${name.replace(/\?$/, '')}: ${thousands(matches)} of ${plural(candidates, 'token')}.`,
        /** @param {string} found */
        stands: found => `More often than chance: ${found}.`,
        /** @param {number} tests */
        nothing: tests =>
            `Of ${plural(tests, 'bar')} tested together, none is surely above chance; the interval beside a bar is that of this bar alone.`,
        little: 'What is above chance (↑) is below a tenth of what was found, or less than 1.5 times as frequent as in the corpus.',
        /** @param {string} name */
        does: name => `${name} in numbers`,
        numberColumns: ['Over the corpus', 'This head', 'Mean of all', 'Rank'],
        measures: /** @type {Record<string, string>} */ ({
            layer: 'Layer',
            weight: 'Weight on what it looks at most',
            moved: 'How much it moves',
            distance: 'How far it looks, in tokens',
            entropy: 'How spread its attention is (entropy)',
            importance: 'Lost without it, points of probability',
            previous: 'Looks at the previous token',
            next: 'Looks at the next token',
            self: 'Looks at the token itself',
            first: 'Looks at the first token',
            added: 'Looks at an added token: [CLS], [SEP]',
            same_word: 'Looks at the same word elsewhere',
            other_sentence: 'Looks at the other sentence',
            governor: 'Looks at the governor',
            dependent: 'Looks at a dependent',
            alike: 'Looks where this head looks',
        }),
        measuresHint:
            'For each token counts what the head looks at most there, the key of its largest weight; shares are of all tokens. What it moves: the weight times the length of the value that it brings (after the output projection).',
        /** @param {number} rank @param {number} of */
        rank: (rank, of) => `${rank} of ${of}`,
        nearest: 'Heads that look at the same most often:',
        allHeadsTitle: 'All heads',
        axes: ['Across', 'Up'],
        scatterKeys: 'All heads; arrow keys move between them, Enter asks about one',
        scatterHint:
            'Each point is a head; press one for its page, or draw a rectangle to list the heads in it.',
        /** @param {number} count */
        brushed: count => `${plural(count, 'head')} in the rectangle${count ? ':' : '.'}`,
        unbrush: 'Clear the rectangle',
        whole: 'All that this head does',
        roles: 'Roles of all heads',
        besides: 'Test its roles and measure its entropy',
        need: 'Measure what the model loses without it',
        /** @param {{name: string, lost: string, low: string, high: string, has: boolean, target: string, texts: number,
         *     words: number, sure: string}} of */
        needed: ({name, lost, low, high, has, target, texts, words, sure}) =>
            `Without ${name} the right ${target === 'label' ? 'label' : 'word'} loses ${lost} points of its ${sure} probability (95 %: ${low} to ${high}; ${target === 'label' ? '' : `${plural(words, 'hidden word')} in `}${plural(texts, 'text')}). ${has ? 'With as many heads tested, that is more than chance.' : 'With as many heads tested, that may be chance.'}`,
        /** @param {string} role @param {string} score @param {string} q */
        hasRole: (role, score, q) => `${role} (${score}× uniform attention, q ${q})`,
        /** @param {string} roles */
        hasRoles: roles => `Its roles, tested: ${roles}.`,
        noRole: 'Tested, it has none of the roles.',
        legend: 'Bar: how many of the sentences found have it. Tick: how many words of the corpus do (the base rate). 3×: three times as often (the lift), in brackets its 95 % interval; ↑ more, ↓ less often than by chance.',
        reading: 'How to read this',
        readings: [
            'A word between slashes is a pattern: /ly$/ ends in ly, /^un/ begins with un, /ing|ed$/ either; . is any letter, * + ? repeat the one before.',
            'Each bar is a share of the matches; the black tick is the base rate, the share in the whole corpus (of an offset: with uniform attention). × is the lift, share divided by base rate, with its 95 % interval in brackets.',
            'The arrow says that the share is above or below chance: the labels of each sentence are shuffled among its words, and the p-values of all bars are corrected together (Benjamini and Hochberg, 5 %).',
            'Heads are ranked by what they move, the weight times the length of the key’s value after the output projection, so that heads resting on [SEP] do not come first.',
            'Nothing is approximated: each question looks at every token. Compare with random layers: what they show too was not learned by the layers.',
        ],
        /** @param {number} tokens @param {string} size @param {boolean} all */
        index: (tokens, size, all) =>
            `The index: ${plural(tokens, 'token')}, ${size} in this page’s memory; vectors of ${all ? 'all layers' : 'the last layer, since all would take more than 64 MB'}. A page can hold about 1 GB of it; the command line takes larger corpora.`,
        command: 'The same on the command line, with the saved index:',
        caption: 'Labels of the matches against the corpus.',
        columns: ['Label of', 'Label', 'Count', 'Share', 'Base rate', 'Lift', 'From', 'To'],
        adjusted: 'p, corrected',
        claim: 'Above chance',
        claims: {more: 'more', less: 'less'},
        files: /** @type {Record<string, string>} */ ({
            csv: 'Sentences (CSV)',
            bars: 'Bars (CSV)',
            json: 'JSON',
            svg: 'SVG',
            index: 'The index',
        }),
    },
    patterns: {
        /** @param {{name: string, place: string, best: string, mean: string}} of */
        beside: ({name, place, best, mean}) =>
            `With ${name}: at most ${best} (${place}), ${mean} on average over all heads. That much comes from position and chance alone.`,
        measure: 'Measure',
        show: 'Of',
        shows: /** @type {Record<string, string>} */ ({
            weight: 'the attention weights',
            moved: 'what each head moves, as shares',
        }),
        names: /** @type {Record<string, string>} */ ({
            entropy: 'Entropy',
            next: 'Next token',
            previous: 'Previous token',
            self: 'Itself',
            cls: '[CLS]',
            sep: '[SEP]',
            same_word: 'Same word',
            other_sentence: 'Other sentence',
            delimiter: '[CLS] and [SEP]',
            same_word_across: 'Same word, other sentence',
            copies: 'Another copy of the word',
            partner: 'Other tokens of the word',
            own_sentence: 'Own sentence',
            punctuation: 'Punctuation',
            entropy_cls: 'Entropy of [CLS]',
            entropy_smoothed: 'Entropy, smoothed as published',
            sep_sep: 'From [SEP] to [SEP]',
            other_sep: 'From others to [SEP]',
            period_comma: 'Full stop and comma',
        }),
        nats: 'nats',
        /** @param {string} name @param {string} even */
        mapName: (name, even) =>
            `${name}: mean over the items${even ? `; uniform attention: ${even}` : ''}`,
        /** @param {{place: string, mean: string, sd: string, n: number, max: string}} of */
        say: ({place, mean, sd, n, max}) =>
            `${place}: mean ${mean}, spread ${sd}, ${n} items, at most ${max}`,
        none: 'no item has it',
        best: 'Strongest heads',
        head: 'Head',
        mean: 'Mean',
        sd: 'Spread',
        n: 'Items',
        max: 'Maximum',
        where: 'Where',
        open: 'Open',
        layers: 'By layer',
        layersHint:
            'Every dot is a head; the line is the mean of the layer, the dashed line uniform attention.',
        entropyLayers: 'Entropy by layer (Clark et al. 2019)',
        layer: 'Layer',
        hint: 'Press a head to see it at work on the item where the measure is greatest.',
        /** @param {{name: string, place: string, mean: string}} of */
        describe: ({name, place, mean}) => `${name}: ${place} does it most, mean ${mean}.`,
        caption: 'Every measure of every head over the corpus.',
    },
    parse: {
        /** @param {string} name */
        beside: name => `Best head, ${name}`,
        relation: 'Relation',
        words: 'Words',
        head: 'Best head',
        accuracy: 'Accuracy',
        offset: 'Best fixed offset',
        direction: /** @type {Record<number, string>} */ ({
            0: 'word → governor',
            1: 'governor → word',
        }),
        /** @param {number} offset */
        offsetName: offset => (offset > 0 ? `+${offset}` : `\u2212${-offset}`),
        p: 'p',
        names: /** @type {Record<string, string>} */ ({
            all: 'all',
            all_without_punct: 'all but punctuation',
        }),
        /** @param {string} relation */
        withSubtypes: relation => `${relation} and ${relation}:…`,
        /** @param {string} relation @param {string} direction @param {number} way */
        mapName: (relation, direction, way) =>
            `${relation}, ${direction}: share of words that ${way ? 'their governor looks at more than any other word does' : 'look at their governor more than at any other word'}`,
        /** @param {{place: string, value: string, n: number}} of */
        say: ({place, value, n}) => `${place}: ${value} of ${n} words`,
        directions: 'Direction',
        from: 'From a split word',
        froms: {first: 'its first token', mean: 'the mean of its tokens'},
        hint: 'Bar and verdict are of the upper head, the better of the two directions. Press a relation for its map; press a head to see it at work. The interval holds 95 % (Wilson). Head roles takes the mean of the weights, this study counts the largest: the two can name different heads.',
        few: 'Few words: the interval is wide.',
        /** @param {{relation: string, place: string, accuracy: string, offset: string, n: number, way: string, interval: string}} of */
        describe: ({relation, place, accuracy, offset, n, way, interval}) =>
            `${relation}: ${place} finds ${accuracy} of the governors (${way}, ${plural(n, 'word')}; 95 %: ${interval}), the best fixed offset ${offset}.`,
        /** The other direction than that of the best head.
         * @param {{place: string, accuracy: string, way: string, interval: string}} of */
        otherWay: ({place, accuracy, way, interval}) =>
            ` In the direction ${way} the best head is ${place}: ${accuracy} (95 %: ${interval}).`,
        caption: 'The best head of each relation in each direction, against the best fixed offset.',
        noExample: 'There is no example of this relation among the items.',
    },
    // scores of heads, the best one held out (src/study/held_out.h)
    heldOut: {
        score: 'Score',
        names: /** @type {Record<string, string>} */ ({
            probability: 'Probability lost',
            loss: 'ln p lost (nats)',
            induction: 'Induction',
            duplicate: 'Same token before',
            previous: 'Previous token',
        }),
        maps: /** @type {Record<string, string>} */ ({
            probability:
                'How much probability the right word or label loses without the head, mean',
            loss: 'How much ln p of the right word or label loses without the head, mean (nats)',
            induction: 'Weight on the token after the earlier copy of the query, mean',
            duplicate: 'Weight on the earlier copy of the query, mean',
            previous: 'Weight on the token before the query, mean',
        }),
        best: 'The best head, against random layers',
        held: 'Head chosen on the other half',
        rule: 'Uniform attention',
        /** @param {string} name @param {string} place */
        beside: (name, place) => `Best head, ${name}: ${place}`,
        /** @param {{place: string, mean: string, low: string, high: string, n: number, q: number | null, has: boolean}} of */
        say: ({place, mean, low, high, n, q, has}) =>
            `${place}: ${mean} (95 %: ${low} to ${high}), ${plural(n, 'text')}; ${has ? 'differs' : 'does not differ'} from the rule after correction${q === null ? '' : ` (q ${q < 0.001 ? '< 0.001' : `= ${q.toFixed(3)}`})`}`,
        /** @param {{name: string, places: string, mean: string, above: boolean, p: string, rule: string}} of */
        verdict: ({name, places, mean, above, p, rule}) =>
            `${name}: chosen on one half of the texts and scored on the other, the best head (${places}) has ${mean}; that is ${above ? '' : 'not '}above ${rule[0].toLowerCase()}${rule.slice(1)} (t test, p ${p}).`,
        untested: 'There are too few texts to choose a head on one half and score it on the other.',
        /** @param {{target: string, texts: number, words: number, p: string}} of */
        importance: ({target, texts, words, p}) =>
            target === 'label'
                ? `With all heads, the labels of ${plural(texts, 'text')} get a probability of ${p}.`
                : `With all heads, ${plural(words, 'masked (or next) word')} of ${plural(texts, 'text')} get a probability of ${p}.`,
        /** @param {{texts: number}} of */
        induction: ({texts}) => `${plural(texts, 'sequence')} of random tokens, each said twice.`,
        tokens: 'Random tokens from',
        ways: /** @type {Record<string, string>} */ ({
            vocabulary: 'the whole vocabulary',
            corpus: 'the text, shuffled',
        }),
        tokensHint: '25 different tokens, twice; a shuffled text may have fewer.',
        head: 'Head',
        mean: 'Mean',
        sd: 'Spread',
        low: 'From',
        high: 'To',
        q: 'q',
        caption: 'Scores of every head.',
    },
    coref: {
        /** @param {string} name @param {string} place */
        beside: (name, place) => `Best head, ${name}: ${place}`,
        map: 'Pronouns whose antecedent gets the most attention',
        /** @param {{place: string, value: string, n: number}} of */
        say: ({place, value, n}) => `${place}: ${value} of ${n} pronouns`,
        best: 'Best head, chosen on all texts:',
        held: 'Head chosen on the other half',
        baselines: 'Against baselines',
        mention: 'Looking at a mention of several tokens',
        ways: /** @type {Record<string, string>} */ ({
            head: 'its head word',
            mean: 'the mean of its tokens',
            last: 'its last token',
            sum: 'the sum of its tokens',
        }),
        mentionHint: 'Clark et al. 2019 take head words; a sum favours long mentions.',
        names: /** @type {Record<string, string>} */ ({
            nearest: 'Nearest mention before it',
            first: 'First mention',
            random: 'A mention at random',
        }),
        accuracy: 'Accuracy',
        head: 'Head',
        what: 'What',
        /** @param {{accuracy: string, n: number, rule: string, above: boolean, p: string, places:
         *     string[]}} of */
        verdict: ({accuracy, n, rule, above, p, places}) =>
            `Chosen on one half of the texts and scored on the other, the best head (${places.join(', ')}) ` +
            `finds the antecedent of ${accuracy} of ${n} pronouns; that is ${above ? '' : 'not '}above “${rule}” (McNemar’s test, p ${p}).`,
        untested:
            'There are too few pronouns to choose a head on one half and score it on the other.',
        caption: 'Coreference accuracy of every head.',
    },
    probe: {
        kind: 'Reads',
        kinds: {attention: 'attention only', words: 'attention and words'},
        train: 'Trained on',
        epochs: 'Passes',
        seed: 'Seed',
        punct: 'Count punctuation',
        /** @param {string} share */
        trainName: share => `${Math.round(100 * Number(share))} %`,
        uas: 'Words with the right governor (UAS)',
        names: /** @type {Record<string, string>} */ ({
            probe: 'This probe',
            right_branching: 'The next word',
            left_branching: 'The word before',
            best_offset: 'Best fixed offset',
        }),
        /** @param {string} other the second model; '' when there is none */
        on: other => `On ${other || 'random weights'}`,
        curve: 'Training',
        loss: 'Loss',
        step: 'Sentences seen',
        curveUas: 'UAS',
        relations: 'By relation',
        relationsHint: 'In grey: the words tested; the best fixed offset and its share.',
        relation: 'Relation',
        words: 'Words',
        right: 'Accuracy',
        weights: 'Weights learned',
        toGovernor: 'Word looks at governor',
        toDependent: 'Governor looks at word',
        root: 'Root from',
        /** @param {{place: string, value: string}} of */
        say: ({place, value}) => `${place}: weight ${value}`,
        saveWeights: 'Save the weights',
        loadWeights: 'Load weights…',
        loadHint: 'With weights saved here, the probe is only tested.',
        notWeights: 'this file holds no probe weights; choose one made with “Save the weights”',
        /** @param {number} train @param {number} test */
        parts: (train, test) =>
            train
                ? `Trained on ${train} sentences, tested on ${test} others.`
                : `Loaded weights, tested on ${test} sentences.`,
        /** @param {{uas: string, right: string, train: number, test: number}} of */
        describe: ({uas, right, train, test}) =>
            `UAS ${uas} on ${test} sentences ${
                train ? `after training on ${train}` : 'with loaded weights'
            }; pointing at the next word gives ${right}.`,
        caption: 'UAS by relation.',
    },
    labels: {
        all: 'All heads',
        some: 'Chosen heads',
        chosenHint: 'Separated by commas, such as L2·H0, L3·H5 (or 2.0, 3.5)',
        accuracy: 'Accuracy',
        majority: 'Always the most common label',
        probe: 'This probe',
        classes: 'Labels',
        weights: 'Weights',
        feature: 'Feature',
        head: 'Head',
        label: 'Label',
        weight: 'Weight',
        curve: 'Training',
        loss: 'Loss',
        step: 'Items seen',
        /** @param {{accuracy: string, majority: string, test: number}} of */
        describe: ({accuracy, majority, test}) =>
            `Accuracy ${accuracy} on ${test} items; always the most common label: ${majority}.`,
        /** @param {{folds: number, repeats: number, least: string, most: string, sd: string, above:
         *     boolean, p: string}} of */
        spread: ({folds, repeats, least, most, sd, above, p}) =>
            `Each item is predicted by a probe trained on the other folds (${folds} folds, ${repeats} times; items with the same first ` +
            `sentence stay together). From fold to fold ${least} to ${most}, spread ${sd}. ${above ? 'Above' : 'Not above'} the most common label (McNemar’s test, p ${p}).`,
        caption: 'The weights of every feature.',
        /** @param {{place: string, value: string}} of */
        say: ({place, value}) => `${place}: size ${value}`,
        mapName: 'Size of the weights of each head, over labels and measures',
        confusion: 'Confusion: true label against predicted',
    },
    percent,
    roles: {
        names: /** @type {Record<string, string>} */ ({
            local: 'local',
            delimiter: 'delimiter',
            cls: '[CLS]',
            sep: '[SEP]',
            block: 'block',
            nsubj: 'nsubj',
            obj: 'obj',
            amod: 'amod',
            advmod: 'advmod',
            syntactic: 'syntactic',
            block_published: 'block, as published',
        }),
        map: 'Roles of the heads',
        rest: 'Point at a head for its roles; press it for all its scores, below.',
        /** @param {string} name of the second model, '' without one */
        legend: name => `Roles shown: number of heads${name ? ` (with ${name})` : ''} and ceiling`,
        presets: {fine: 'Fine', coarse: 'Coarse', all: 'All'},
        notTested: 'not tested',
        /** @param {string} value */
        ceilingOf: value => `≤ ${value}`,
        below: 'below τ',
        refused: {
            /** @param {string} name @param {string} ceiling @param {string} tau */
            ceiling: (name, ceiling, tau) =>
                `${name}: not tested, because no head can score above ${ceiling} on these texts, and τ is ${tau}. ` +
                'Lower τ or choose longer texts.',
            /** @param {string} name */
            pairs: name => `${name}: not tested, because it needs pairs of sentences.`,
            /** @param {string} name */
            relations: name =>
                `${name}: not tested, because this corpus has no such relations; CoNLL-U has.`,
            /** @param {string} name */
            few: name => `${name}: not tested, because fewer than two texts have it.`,
        },
        test: 'The test',
        tau: 'Threshold τ, times uniform attention',
        even: '1 even',
        published: '3 published',
        tauHint:
            'A head has a role when its mean score is above τ by a one-sided t test. The block score is divided by that of uniform attention (ln n as published), so that 1 is even in every role.',
        tauBlock: 'Threshold for block',
        alpha: 'Level α',
        correction: 'Multiple tests',
        corrections: {none: 'not corrected', bh: 'Benjamini–Hochberg'},
        sd: 'Standard deviation',
        sds: {population: 'population (published)', sample: 'sample'},
        direction: 'Syntactic roles',
        directions: {
            dependent: 'word → governor',
            governor: 'governor → word',
            both: 'mean of both',
        },
        role: 'Role',
        mean: 'Mean',
        sdShort: 'Spread',
        n: 'Texts',
        interval: '95 % interval',
        has: 'Has it',
        yes: 'yes',
        no: 'no',
        head: 'Head',
        layer: 'Layer',
        headNumber: 'Number',
        low: 'Lower end',
        high: 'Upper end',
        ceilingName: 'Ceiling',
        ceiling: /** @param {string} value */ value => `mean ceiling ${value}`,
        /** @param {string} name */
        beside: name => `All heads, ${name}: mean (highest)`,
        caption: 'Sieve bias score of every head in every role that is shown, with the test.',
        /** @param {string} place @param {string} list */
        say: (place, list) => (list ? `${place}: ${list}` : `${place}: none of these roles`),
        /** @param {string} list */
        hasRoles: list => `Roles: ${list}.`,
        hasNone: 'None of the roles shown.',
        /** @param {string} name */
        scoresOf: name => `Its scores: ${name}`,
        /** @param {string} name @param {string} mean @param {number} n */
        scoresSay: (name, mean, n) =>
            `Histogram of the ${name} scores of this head over ${n} texts; mean ${mean}.`,
        /** @param {string} name */
        noScores: name => `No text has a score for ${name}.`,
        even1: 'even',
        scoreAxis: 'Score, times uniform attention',
        texts: 'Texts',
        /** @param {number} item @param {string} score */
        open: (item, score) => `See it on text ${item}, where it scores ${score}`,
        perLayer: 'Roles by layer',
        several: 'several roles',
        /** @param {string} name @param {string} counts */
        layersSay: (name, counts) => `${name}, heads by layer: ${counts}`,
        overlap: 'Which roles go together',
        overlapHint:
            'Each row is a combination: heads with exactly these roles. Press a number to highlight them on the map.',
        setSizes: 'of all heads',
        headsWith: 'Heads',
        noRole: 'no role',
        noHeads: 'No head has any of these roles.',
        /** @param {number} count */
        headCount: count => plural(count, 'head'),
        pTitle: 'p-values',
        pAxis: 'p',
        tests: 'Tests',
        /** @param {number} count @param {string} low @param {string} high */
        pSays: (count, low, high) =>
            `${plural(count, 'test')}: ${low} of the p-values are below 0.05, ${high} above 0.95.`,
        /** @param {string} model @param {string} corpus
         * @param {{tau: number, alpha: number, correction: string, sd: string, items: number}} asked */
        note: (model, corpus, {tau, alpha, correction, sd, items}) =>
            `${model}; ${corpus}, ${plural(items, 'item')}; τ = ${tau}, α = ${alpha}, ` +
            `${correction === 'bh' ? 'Benjamini–Hochberg' : 'no correction'}, ${sd} deviation`,
        /** @param {number} tau @param {number} count @param {number} all @param {string} each */
        describe: (tau, count, all, each) =>
            `At τ = ${tau}, ${count} of ${all} heads have one of the roles shown${each ? `: ${each}` : ''}.`,
    },
    distances: {
        by: 'Colour and shape',
        colourings: /** @type {Record<string, string>} */ ({
            cluster: 'cluster',
            kind: 'kind (Clark et al. 2019)',
            layer: 'layer',
        }),
        clusterCount: 'Clusters',
        auto: 'chosen (silhouette)',
        clusterColumn: 'Cluster',
        kind: 'Kind',
        map: 'Heads that attend similarly lie close together',
        mapKeys: 'Map of the heads; arrow keys go from head to head, Enter chooses',
        kinds: /** @type {Record<string, string>} */ ({
            next: 'next token',
            previous: 'previous token',
            entropy: 'broad',
            cls: '[CLS]',
            sep: '[SEP]',
            punctuation: 'full stop, comma',
            none: 'no kind',
        }),
        /** @param {number} n */
        cluster: n => `Cluster ${n}`,
        /** @param {number} count @param {string} middle @param {string} inside @param {string} kinds */
        clusterSays: (count, middle, inside, kinds) =>
            `${plural(count, 'head')}, centre ${middle}${count > 1 ? `, mean divergence from it ${inside} nats` : ''}` +
            `${kinds ? `; ${kinds}` : ''}`,
        /** @param {{place: string, cluster: number, kind: string, near: string, distance: string}} of
         */
        say: ({place, cluster, kind, near, distance}) =>
            `${place}: cluster ${cluster}${kind ? `, ${kind}` : ''}${near ? `; nearest ${near} at ${distance} nats` : ''}`,
        /** @param {string} share @param {string} stress */
        fit: (share, stress) =>
            `The plane keeps ${share} % of the variation; stress ${stress} (0 would be exact). Trust near points more than far ones.`,
        /** @param {number} limit @param {string} even */
        kindHint: (limit, even) =>
            `A kind is a mean above 0.5 (next, previous), 0.6 ([CLS], [SEP], full stop and comma), or an entropy above ${limit} nats; ` +
            `on these texts uniform attention has ${even} nats.`,
        nearest: 'Nearest:',
        open: 'See it on the first text',
        clusters: 'Clusters',
        /** @param {string} silhouette */
        clustersHint: silhouette =>
            `Around central heads (k-medoids), by the square root of the divergence${silhouette ? `; mean silhouette ${silhouette} (1: clear-cut, 0: none)` : ''}.`,
        heat: 'Divergence of every two heads, in nats',
        heatKeys:
            'Heat map of the divergences; arrow keys go from pair to pair, Enter chooses the row’s head',
        heatAxes: 'Rows and columns: all heads, cluster by cluster; the numbers are the clusters.',
        heatRest:
            'Point at a cell for its two heads. No two heads are further apart than ln 2 = 0.693.',
        /** @param {string} a @param {string} b @param {string} value */
        pair: (a, b, value) => `${a} and ${b}: ${value} nats`,
        caption:
            'Cluster, kind and place of every head, and its divergence from every other, in nats.',
        /** @param {{clusters: number, near: string[], far: string[]}} of */
        describe: ({clusters, near, far}) =>
            `${plural(clusters, 'cluster')}. Most similar: ${near[0]} and ${near[1]} (${near[2]} nats); ` +
            `least: ${far[0]} and ${far[1]} (${far[2]}).`,
    },
    compare: {
        /** @param {string} before @param {string} after */
        which: (before, after) =>
            `Before: ${before}. After: ${after}. Every difference is after − before, tested by a paired t test over the texts.`,
        sep: 'Attention to [SEP], by layer',
        all: 'all',
        before: 'Before',
        after: 'After',
        difference: 'Difference',
        what: 'Role or measure',
        change: 'Change',
        roles: 'Roles gained and lost',
        roleMap: 'Roles gained minus roles lost',
        shown: 'Roles shown: gained, lost',
        gained: 'gained',
        lost: 'lost',
        measures: 'Change of a measure in every head',
        /** @param {string} name */
        measureMap: name => `${name}: after − before`,
        /** @param {number} up @param {number} down @param {number} same @param {number} alpha
         * @param {number} margin */
        movement: (up, down, same, alpha, margin) =>
            `${plural(up, 'head')} up, ${down} down, ${same} neither: up and down mean a significant change (Benjamini–Hochberg over all tests, α = ${alpha}; ` +
            `marked *) with an effect of at least d = ${margin} (mean difference over its spread).`,
        rest: 'Point at a head for its numbers; press it to see it on the text where it changed most.',
        /** @param {{place: string, before: string, after: string, difference: string, q: string}} of */
        sayMeasure: ({place, before, after, difference, q}) =>
            `${place}: ${before} before, ${after} after, difference ${difference}, q = ${q}`,
        /** @param {string} place @param {string} gained @param {string} lost @param {string} kept */
        sayRoles: (place, gained, lost, kept) =>
            `${place}: ${
                [gained && `gained ${gained}`, lost && `lost ${lost}`, kept && `kept ${kept}`]
                    .filter(Boolean)
                    .join('; ') || 'no role before or after'
            }`,
        /** @param {string} gained @param {string} lost */
        layersSay: (gained, lost) => `Roles by layer: gained ${gained}; lost ${lost}.`,
        caption:
            'Every role and measure of every head before and after, with paired tests; q is after Benjamini–Hochberg.',
        /** @param {{before: string, after: string, difference: string, gained: number, lost: number}} of
         */
        describe: ({before, after, difference, gained, lost}) =>
            `Attention to [SEP], mean over all heads: ${before} before, ${after} after (${difference}). ` +
            `Of the roles shown ${gained} were gained and ${lost} lost.`,
    },
    claims: {
        rule:
            'If the model is the one that a claim is about (told by its name), the published head itself is measured: it agrees or differs. On another model, the question is whether any head ' +
            'does the same, which one, and how strongly; and whether random layers on the model’s own embeddings do it too.',
        groups: {
            text: 'On single sentences',
            corpus: 'Over a corpus',
            parse: 'Heads as parsers',
            roles: 'Proportions of roles',
        },
        groupHints: {
            text: 'Strength 0 is uniform attention, 1 the pure pattern; from 0.3 on a head counts. Links: the weight from word to word; it counts when no other token gets more and it is at least twice uniform attention.',
            corpus: 'Means over the texts of the open corpus. Clark et al. took Wikipedia, 128 tokens each; shorter texts have less entropy.',
            parse:
                'Share of words whose governor the head finds, looking from the word or from the governor; in brackets, or after the semicolon, the best fixed offset (pronouns: the best simple rule). ' +
                'A head counts when it is significantly better. Published on the Penn Treebank, here on Universal Dependencies.',
            roles: 'At τ = 3, α = 0.05 and the population deviation, as published.',
        },
        claim: 'Claim',
        source: 'Source',
        model: 'Model',
        grade: 'Evidence',
        published: 'Published',
        here: 'Here',
        verdict: 'Verdict',
        sources: /** @type {Record<string, string>} */ ({
            vig: 'Vig 2019, six patterns',
            clark: 'Clark et al. 2019',
            pande: 'Pande et al. 2021',
            chapter: 'Attention in four languages (article)',
        }),
        grades: /** @type {Record<string, string>} */ ({
            article: 'stated in the article',
            plot: 'read off a plot',
            files: 'in the authors’ files',
            memory: 'not rechecked at its source',
        }),
        /** @param {string} name */
        tuned: name => name,
        verdicts: /** @type {Record<string, string>} */ ({
            agrees: 'agrees',
            differs: 'differs',
            found: 'found here, not on random layers',
            uncompared: 'found here, not compared with random layers',
            chance: 'not better than random layers',
            missing: 'not found here',
            foreign: 'does not apply',
            lacks: 'not measured',
        }),
        lacks: /** @type {Record<string, string>} */ ({
            roles: 'this corpus or this model gives nothing to measure',
            patterns: 'this corpus has nothing to measure',
            parse: 'needs a corpus with such relations (CoNLL-U)',
            coref: 'needs a corpus with marked mentions',
            compare: 'needs two models: see the study “Two models”',
            text: 'the sentence has nothing to measure',
            none: 'not measured',
        }),
        languages: /** @type {Record<string, string>} */ ({de: 'German', tr: 'Turkish'}),
        /** @param {string} language */
        foreign: language => `needs a ${language} model`,
        /** @param {string} place */
        open: place => `See ${place}`,
        anyRelation: 'any relation',
        /** @param {string} relation */
        relation: relation => `A head finds the governor by ${relation}`,
        titles: /** @type {Record<string, string>} */ ({
            next: 'A head looks at the next word',
            previous: 'A head looks at the previous word',
            same: 'A head looks at the same or a related word',
            across: 'A head looks at the same word in the other sentence',
            partner: 'A head looks at words that predict the word',
            sep: 'A head looks at the [SEP] tokens',
            own: 'A head spreads evenly over its own sentence',
            cat: 'A head looks from “it” to “cat”',
            kedi: 'A head looks from “o” to “Kedi”',
            katze: 'A head looks from “sie” to “Katze”',
            germanNext: 'A head looks at the next word (German)',
            clarkNext: 'Some head has over half its attention on the next token',
            clarkPrevious: 'Some head has over half its attention on the previous token',
            clarkNextHeads: 'Heads with over half their attention on the next token',
            clarkPreviousHeads: 'Heads with over half their attention on the previous token',
            clarkSep: 'Some head has over 0.6 of its attention on [SEP]',
            clarkSepSep: 'From [SEP], some head looks at [SEP] with over 0.6',
            clarkCls: 'Some head has over half its attention on [CLS]',
            clarkPunctuation: 'Some head has over half its attention on full stops and commas',
            clarkSepLayers: 'After the first layers, whole layers look at [SEP]',
            clarkEntropy: 'Entropy is lowest in the middle layers',
            clarkEntropyCls: 'From [CLS], the last layer looks broadly (beside it: all its tokens)',
            coref: 'A head finds what pronouns refer to',
            delimiterShare: 'Most heads are delimiter heads',
            localSyntactic: 'Many syntactic heads are local too',
            clsEarly: '[CLS] heads sit in early layers',
            sepLate: '[SEP] heads sit in later layers',
            blockFirst: 'Block heads sit mostly in the first layer',
            severalMiddle: 'Heads with several roles sit in the middle layers',
            severalLast: 'The last two layers have few heads with several roles',
            syntacticThree: 'Nearly every layer has three syntactic heads',
            pNear: 'Nearly all p-values are near 0 or 1',
            sepTuning: 'Fine-tuning takes attention off [SEP]',
        }),
        // n: what the first layer is called, 0 or 1; x: the published number
        expected: /** @type {Record<string, (n: number, x: string) => string>} */ ({
            severalLast: () => 'few',
            syntacticThree: () => 'at least 3 per layer',
            clsEarly: n => `layers ${1 + n}–${3 + n} of 12`,
            sepLate: n => `layers ${5 + n}–${9 + n} of 12`,
            severalMiddle: n => `layers ${5 + n}–${9 + n} of 12`,
            blockFirst: n => `mostly layer ${n}`,
            sepTuning: () => 'less',
            clarkSepLayers: (n, x) => `${x} in layers ${4 + n}–${9 + n}, 0.2 in layer ${3 + n}`,
            clarkPrevious: (n, x) => `${x} in layer ${3 + n}`,
            clarkSep: (n, x) => `${x} in layer ${7 + n}`,
            clarkSepSep: (n, x) => `about ${x} in layers ${4 + n}–${8 + n}`,
            clarkPunctuation: (n, x) => `0.50 and ${x} in layers ${10 + n}–${11 + n}`,
            clarkNextHeads: () => 'five heads',
            clarkPreviousHeads: () => 'four heads',
            clarkEntropy: (n, x) => `3.7, lowest ${x} (layer ${7 + n}), 2.8 nats`,
            clarkEntropyCls: () => 'high: very broad attention',
        }),
        /** @param {number} count */
        headCount: count => `${count} ${count === 1 ? 'head' : 'heads'}`,
        /** @param {string} value */
        layer: value => `layer ${value}`,
        /** @param {string} value */
        each: value => `${value} per layer`,
        caption: 'Published claims, what is measured here, and whether they agree.',
        /** @param {number} count @param {string} tally */
        describe: (count, tally) => `${count} published claims: ${tally}.`,
    },
};
