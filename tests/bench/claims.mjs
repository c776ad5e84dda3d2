#!/usr/bin/env node
/* claims - the study of published claims in the terminal, as one table in words over the three
 * corpora that ship: a claim that the trees have nothing of is taken from the pairs, then from the
 * texts with marked mentions. Usage: node tests/bench/claims.mjs [MODEL] [--trees FILE]
 * [--pairs FILE] [--mentions FILE] [--with MODEL2]
 */
import {execFileSync} from 'node:child_process';
import {studies as studyEn} from '../../web/words/en/studies.js';
import {expectedOf, hereOf, titleOf} from '../../web/views/study/claims/view.js';

const TOOL = 'build/out/native/headlight';

function readArguments() {
    const args = process.argv.slice(2);
    const take = (name, fallback) => {
        const at = args.indexOf(`--${name}`);
        return at < 0 ? fallback : args.splice(at, 2)[1];
    };
    const corpora = [
        take('trees', 'corpora/sentences.conllu'),
        take('pairs', 'corpora/pairs.tsv'),
        take('mentions', 'corpora/pronouns.txt'),
    ];
    return {
        corpora,
        other: take('with', 'models/mini-en-sst2'),
        model: args[0] ?? 'models/mini-en',
    };
}

const {corpora, other, model} = readArguments();
const answers = corpora.map(corpus =>
    JSON.parse(
        execFileSync(TOOL, ['study', 'claims', model, corpus, '--with', other], {
            maxBuffer: 1 << 28,
            stdio: ['ignore', 'pipe', 'inherit'],
        }),
    ),
);
console.log(
    `Published claims on ${model} (${answers[0].layers} layers of ${answers[0].heads} heads)\n\n` +
        '| claim | published on | published | here | over | verdict |\n|---|---|---|---|---|---|',
);
for (const i of answers[0].claims.keys()) {
    const found = answers.findIndex(({claims}) => claims[i].verdict !== 'lacks');
    const claim = answers[Math.max(0, found)].claims[i];
    const over = claim.study === null ? 'sentence' : (corpora[found] ?? '');
    console.log(
        `| ${[
            titleOf(claim, studyEn),
            claim.model,
            expectedOf(claim, false, studyEn),
            hereOf(claim, false, studyEn),
            over,
            studyEn.claims.verdicts[claim.verdict],
        ].join(' | ')} |`,
    );
}
