#!/bin/sh
# Submits a plan to Slurm, a task for each shard, and returns at once:
#
#   moobench plan benchmarks.toml -o plan.json
#   ./submit.sh plan.json 16
#   ./collect.sh plan.json 16      when the job has ended
#
# A shard that is there is not measured again: submit again what is missing. Everything lies below the folder of the
# plan, which all nodes see.
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
plan=$1
shards=$2
mkdir -p shards
exec sbatch --array="1-$shards" ${SBATCH_MORE:-} "$here/shard.sbatch" "$plan" "$shards"
