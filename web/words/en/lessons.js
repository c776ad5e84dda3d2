/* lessons - the English words around examples, lessons and the articles' figures. A lesson's own
 * words, in all languages, are in its file (lessons/).
 */

/** @typedef {import('preact').ComponentChild} Tree */

/** @param {readonly number[]} neurons */
const neuronsNamed = neurons => neurons.join(neurons.length === 2 ? ' and ' : ', ');

const ROLES = /** @type {Record<string, string>} */ ({
    local: 'local',
    delimiter: 'delimiters',
    cls: '[CLS]',
    sep: '[SEP]',
    block: 'own sentence',
    next: 'the next token',
});

export const lessons = {
    offers: {
        examples: 'Examples',
        lessons: 'Lessons',
        articles: 'As in the articles',
        history: 'Your earlier texts',
        forget: 'Clear this list',
        clearB: 'Remove B',
        swap: 'Swap A and B',
        /** @param {number} minutes */
        minutes: minutes => `${minutes} min`,
        /** @param {number} step @param {number} count */
        left: (step, count) => `go on at step ${step} of ${count}`,
        finished: '✓ finished',
        /** @param {string} model */
        asPublished: model => `as published: ${model}`,
    },
    player: {
        steps: 'Steps of the lesson',
        /** @param {number} step @param {number} count */
        place: (step, count) => `${step} of ${count}`,
        back: 'Back',
        next: 'Next',
        close: 'End the lesson',
        scroll: 'All steps, by scrolling',
        keys: 'In this panel, the left and right arrow keys turn the page and Escape ends the lesson.',
        kept: 'Your own text and heads come back when the lesson ends.',
        waiting: 'Computing…',
        /** @param {number} step */
        comes: step => `Its number comes at step ${step}.`,
        equation: 'Equation; point at a symbol to see what it is in the figure',
        /** @param {string} title */
        nextLesson: title => `Next lesson: ${title}`,
        /** @param {number} right @param {number} asked */
        score: (right, asked) => `You predicted ${right} of ${asked} correctly.`,
        /** @param {Tree} best @param {string} most @returns {Tree[]} */
        right: (best, most) => ['Right: ', best, ' gets the most, ', most, '.'],
        /** @param {Tree} picked @param {string} weight @param {Tree} best @param {string} most
         * @returns {Tree[]} */
        wrong: (picked, weight, best, most) => [
            picked,
            ` gets ${weight}. Most goes to `,
            best,
            `: ${most}.`,
        ],
        /** What the number is. @param {string} kind @param {Tree} from @param {Tree} to
         * @param {readonly number[]} neurons @param {string} role @returns {Tree[]} */
        seen: (kind, from, to, neurons, role) =>
            ({
                weight: [from, ' → ', to],
                link: [from, ' → ', to],
                score: ['q of ', from, ' · k of ', to],
                scaled: ['q of ', from, ' · k of ', to, ', divided by √d'],
                measure: [`of the head’s attention: ${role}`],
                upper: [
                    `more of the attention goes to ${role} in the upper layers than in the lower`,
                ],
                share: ['of all attention goes to ', to],
                own: ['of attention stays in the token’s own sentence'],
                next: ['weight on the next token, on average'],
                fill: ['probability of ', to],
                neurons: [`of the tokens are decided by neurons ${neuronsNamed(neurons)}`],
                sieve: [`times uniform attention in the sieve “${role}”`],
            })[kind] ?? [],
        /** @param {string} bound */
        unlike: bound => `(the lesson’s own text: ${bound})`,
        roles: ROLES,
    },
    worksheet: {
        label: 'Save your answers as a worksheet:',
        columns: [
            ...['Step', 'Sentence', 'Head', 'Question', 'Answer', 'Weight of the answer'],
            ...['Strongest token', 'Its weight', 'Right'],
        ],
        name: 'Name',
        handIn: 'File to hand in',
        date: 'Date',
        /** @param {number} right @param {number} all */
        score: (right, all) => `${right} of ${all} questions right`,
        yes: 'yes',
        no: 'no',
        open: 'not answered',
    },
    published: {
        /** @param {number} kB */
        open: kB => `Show it (${kB} kB)`,
        back: 'Back to this page’s model',
        shown: 'The picture is now the published model’s attention.',
        failed: 'The file could not be fetched; try again.',
    },
    pattern: {
        looking: 'Looking for the head…',
        failed: 'This step cannot be measured here.',
        sentences: 'Use the lesson’s sentences',
        showHead: 'Show this head',
        neuron: 'How does it do it? (neuron view)',
        corpus: 'Does it hold over many sentences? (corpus)',
        both: 'All tokens and one, side by side',
        absent: {
            next: 'A single token has no next token.',
            previous: 'A single token has no previous token.',
            copies: 'No word of this text occurs twice, so the pattern cannot be measured.',
            across: 'This needs two sentences that share a word.',
            partner: 'No word of this text is cut into tokens, so the pattern cannot be measured.',
            delimiter: 'This text has neither [SEP] nor [CLS].',
            own: 'This needs two sentences: in a single one it is the same as uniform attention.',
        },
        /** @param {'clearly' | 'partly' | 'none'} verdict @param {string} head */
        verdict: (verdict, head) =>
            ({
                clearly: `${head} shows it clearly.`,
                partly: `${head} shows it in part, more than any other head.`,
                none: `No head of this model does it on this text. ${head} comes closest, but stays below the mark.`,
            })[verdict],
        /** @param {'share' | 'agreement'} kind @returns {string} */
        measured: kind => (kind === 'share' ? 'Share of attention' : 'Agreement'),
        thisHead: 'this head',
        even: 'uniform attention',
        mark: 'the mark',
        /** @param {string} factor */
        times: factor => `${factor} times uniform attention.`,
        /** @param {string} sep @param {string} cls */
        delimiters: (sep, cls) => `Of this, [SEP] gets ${sep} and [CLS] ${cls}.`,
        strongest: 'For instance:',
        looksAt: 'looks at',
        rule: 'The mark is 30 % of the way from uniform attention to the pure pattern; from 60 % on, a head shows it clearly.',
    },
    toy: {
        title: 'The same by hand: two words, 4 × 3',
        says: 'The words are Thinking and Machines, in four numbers each. A row times a column, added up, is a number of the product; √3 is 1.73; softmax: e to each number, divided by the sum of its row.',
    },
    sieves: {
        role: 'Role',
        roles: ROLES,
        waiting: 'Computing…',
        /** @param {{head: string, token: string, keys: number, all: number, share: string, even: string,
         *     score: string, block: boolean}} seen */
        says: ({head, token, keys, all, share, even, score, block}) =>
            `${token}: the framed ${keys} of ${all} tokens get ${share} % of its attention in ${head}; ` +
            `uniform attention would give them ${even} %. Score: ${score} uniform attention` +
            `${block ? ', times how evenly the row is spread' : ''}.`,
    },
};
